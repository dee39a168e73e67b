import { expect, it } from "vitest";
import { configFor, settingsOf } from "../../../../indexer/cli/dev/worker-process.ts";

it("the Worker of this machine has its own settings where the environment says nothing", () => {
  expect(settingsOf({ LOG_LEVEL: "", PATH: "/bin", TREELINE_KEY: "tl_x" }, true)).toEqual({
    ALLOWED_HOSTS: "localhost,127.0.0.1,[::1]",
    ACCESS: "private",
    RATE_LIMITS: "off",
    POINTER_SECONDS: "0",
    LOG_LEVEL: "error",
  });
});

it("the Worker's settings name another entry and other assets, and are the same for the rest", () => {
  const settings = 'name = "treeline"\nmain = "src/worker/worker.ts"\ndirectory = "assets"\n# main = ""\n';
  const windows = String.raw`C:\$&\worker.js`;
  expect(configFor(settings, windows, "/x/assets")).toBe(
    `name = "treeline"\nmain = ${JSON.stringify(windows)}\ndirectory = "/x/assets"\n# main = ""\n`,
  );
  expect(() => configFor('name = "treeline"', windows, "/x/assets")).toThrow("no main");
  expect(() => configFor('main = "treeline"', windows, "/x/assets")).toThrow("no directory");
});

it("the Worker of this machine takes what the documentation says out of the environment, and no hosts or openness", () => {
  const given = {
    ALLOWED_ORIGINS: "docs.example.org",
    ACCESS_TEAM_DOMAIN: "team.cloudflareaccess.com",
    ACCESS_AUDIENCE: "tag",
    ACCESS_COLLECTIONS: '{"*": ["guide"]}',
    AUTHORIZATION_SERVERS: "https://login.example.org",
    RATE_LIMITS: "on",
    TIME_LIMITS: "off",
    LOG_LEVEL: "info",
  };
  expect(settingsOf({ ...given, ALLOWED_HOSTS: "evil.example", ACCESS: "public" }, true)).toEqual({
    ...given,
    POINTER_SECONDS: "0",
    ALLOWED_HOSTS: "localhost,127.0.0.1,[::1]",
    ACCESS: "private",
  });
});

/** Tests of requests to hosts of an index: hosts that hang, drip, cut off, and send on to others. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createSender } from "../../../indexer/base/index-source.ts";
import { openIndexAt } from "../../../indexer/open/open-index.ts";
import { HostError } from "../../../src/web/host-error.ts";

/** A web host on this machine. */
async function serve(listener: RequestListener): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const SOON_MS = 300;
const read = async (url: string): Promise<string> => (await createSender(SOON_MS)(url, {})).text();

it("ends with words where a host says nothing, or a byte at a time", async () => {
  const silent = await serve(() => undefined);
  const drip = await serve((_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("x"), 20);
    response.on("close", () => clearInterval(timer));
  });
  for (const { url } of [silent, drip]) {
    const error = await read(`${url}/a`).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HostError);
    expect(String(error)).toContain(`${url}/a does not answer within 0.3 seconds`);
  }
});

it("says why a host cannot be reached, and that its answer was cut", async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  await expect(read(`http://127.0.0.1:${port}/a`)).rejects.toThrow(/\/a cannot be read: .*ECONNREFUSED/);
  const cutting = await serve((_, response) => {
    response.writeHead(200, { "Content-Length": "100" });
    response.write("x");
    response.destroy();
  });
  await expect(read(`${cutting.url}/a`)).rejects.toThrow("/a cannot be read: ");
});

it("follows a host to itself and to nobody else", async () => {
  const secret = await serve((_, response) => response.end("secret"));
  const { url } = await serve(({ url: path }, response) => {
    const to: Readonly<Record<string, string>> = {
      "/moved": "/here",
      "/round": "/round",
      "/local": secret.url.replace("127.0.0.1", "localhost"),
      "/bad": "http://[",
    };
    const location = to[path ?? ""];
    if (location === undefined) response.end("here");
    else response.writeHead(302, { Location: location }).end();
  });
  expect(await read(`${url}/moved`)).toBe("here");
  await expect(read(`${url}/round`)).rejects.toThrow("sends on more than 5 times");
  await expect(read(`${url}/local`)).rejects.toThrow("another host; name that one instead");
  await expect(read(`${url}/bad`)).rejects.toThrow("another host");
  expect(secret.asked).toEqual([]);
  await expect(openIndexAt(`${url}/local`)).rejects.toThrow();
  expect(secret.asked).toEqual([]);
});

it("leaves an answer as it is", async () => {
  const { url } = await serve(({ headers }, response) =>
    response.writeHead(206, { "Content-Range": "bytes 0-1/2", ETag: '"a"' }).end(headers.range),
  );
  const response = await createSender()(`${url}/a`, { headers: { range: "bytes=0-1" } });
  expect([response.status, response.headers.get("etag"), await response.text()]).toEqual([206, '"a"', "bytes=0-1"]);
});

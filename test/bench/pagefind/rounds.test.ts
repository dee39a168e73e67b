import { expect, it } from "vitest";
import { RoundCounter } from "../../../bench/pagefind/rounds.ts";

const echo = (async (input: string | URL | Request) => new Response(String(input))) as typeof fetch;

it("counts requests that go out together as one round, and those that wait for an answer as the next", async () => {
  const counter = new RoundCounter(echo, "http://127.0.0.1/folder/");
  const branch = async (name: string): Promise<string> => {
    const first = await (await counter.fetch(name)).text();
    return `${first} ${await (await counter.fetch(`${name}-behind`)).text()}`;
  };
  const answers = await Promise.all([branch("a"), branch("b")]);
  expect(answers[0]).toBe("http://127.0.0.1/folder/a http://127.0.0.1/folder/a-behind");
  expect(counter.requests).toEqual([
    { path: "/folder/a", wave: 1, bytes: 25 },
    { path: "/folder/b", wave: 1, bytes: 25 },
    { path: "/folder/a-behind", wave: 2, bytes: 32 },
    { path: "/folder/b-behind", wave: 2, bytes: 32 },
  ]);
  counter.reset();
  await counter.fetch("c");
  expect(counter.requests).toEqual([{ path: "/folder/c", wave: 1, bytes: 25 }]);
});

it("hands a failure to the request that failed, and answers the others of its round", async () => {
  const counter = new RoundCounter(
    (async (input: string | URL | Request) => {
      if (String(input).endsWith("bad")) throw new Error("no connection");
      return new Response("fine");
    }) as typeof fetch,
    "http://127.0.0.1/",
  );
  const [bad, good] = await Promise.allSettled([counter.fetch("bad"), counter.fetch("good")]);
  expect(bad).toMatchObject({ status: "rejected", reason: { message: "no connection" } });
  expect(good?.status === "fulfilled" && (await good.value.text())).toBe("fine");
});

/** What stands before a server and counts what is sent to it. */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Requests to a server, counted on their way. */
export interface CountingProxy {
  readonly origin: string;
  /** Requests and bytes of bodies that were sent with PUT, since it was asked last. */
  readonly take: () => { readonly requests: number; readonly uploadedBytes: number };
  readonly stop: () => Promise<void>;
}

/** Starts a proxy before a server on this machine. */
export async function startCountingProxy(origin: string): Promise<CountingProxy> {
  let [requests, uploadedBytes] = [0, 0];
  const { hostname, port } = new URL(origin);
  const server = createServer((incoming, outgoing) => {
    requests++;
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      if (incoming.method === "PUT") uploadedBytes += body.length;
      const { method, url: path, headers } = incoming;
      const behind = request({ hostname, port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      behind.on("error", () => outgoing.destroy());
      behind.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const counted = { requests, uploadedBytes };
      [requests, uploadedBytes] = [0, 0];
      return counted;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANONYMOUS, addressKey, rateKey } from "../../../src/surface/access/caller.ts";

describe("whose requests are counted together", () => {
  it("are those of a consumer, wherever they come from, else those of an address", () => {
    expect(rateKey({ ...ANONYMOUS, name: "ci-bot" }, "1.2.3.4")).toBe("caller ci-bot");
    expect(rateKey(ANONYMOUS, "1.2.3.4")).toBe("address 1.2.3.4");
    expect(rateKey(ANONYMOUS, null)).toBe("address unknown");
  });

  it.each([
    ["2001:db8:1:2:3:4:5:6", "address 2001:db8:1:2::/64"],
    ["2001:DB8:1:2::", "address 2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002:ffff:ffff:ffff:ffff", "address 2001:db8:1:2::/64"],
    ["2001:db8::1", "address 2001:db8:0:0::/64"],
    ["::1", "address 0:0:0:0::/64"],
    ["::ffff:1.2.3.4", "address 1.2.3.4"],
    ["::FFFF:0102:0304", "address 1.2.3.4"],
    ["0:0:0:0:0:ffff:1.2.3.4", "address 1.2.3.4"],
    [" 1.2.3.4 ", "address 1.2.3.4"],
    ["", "address unknown"],
    ["nonsense", "address unknown"],
    ["1:2:3", "address unknown"],
    ["[::1]", "address unknown"],
    ["::1/64", "address unknown"],
    ["fe80::1%eth0", "address unknown"],
  ])("are of %j: %s", (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it("are those of a whole /64, in every spelling of its addresses", () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 4, maxLength: 4 }),
        fc.array(group, { minLength: 8, maxLength: 8 }),
        (network, hosts) => {
          fc.pre(network.some((part) => part !== 0));
          const write = (host: readonly number[]): string =>
            [...network, ...host].map((part) => part.toString(16)).join(":");
          expect(addressKey(write(hosts.slice(0, 4)))).toBe(addressKey(write(hosts.slice(4)).toUpperCase()));
        },
      ),
    );
  });
});

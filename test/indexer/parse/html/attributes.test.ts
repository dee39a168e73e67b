import { describe, expect, it } from "vitest";
import { parsePage, wordsOf } from "./parsed-page.ts";

describe("data-pagefind-body", () => {
  it("limits what is read to the marked elements, in their order", () => {
    const page = parsePage(
      "<p>no</p><main data-pagefind-body><p>one</p></main><p>no</p><div data-pagefind-body>two</div>",
    );
    expect(wordsOf(page)).toBe("one two");
    expect(page.site.hasBody).toBe(true);
    expect(parsePage("<p>all</p>").site.hasBody).toBe(false);
  });

  it("inside another one is what is read of that", () => {
    expect(wordsOf(parsePage("<div data-pagefind-body>outer <p data-pagefind-body>inner</p> outer</div>"))).toBe(
      "inner",
    );
  });

  it("is read even inside what is ignored, but not inside what is ignored as all", () => {
    expect(wordsOf(parsePage("<div data-pagefind-ignore>x <p data-pagefind-body>read</p></div>"))).toBe("read");
    const page = parsePage("<div data-pagefind-ignore=all>x <p data-pagefind-body>gone</p></div><p>rest");
    expect(wordsOf(page)).toBe("rest");
  });

  it("leaves meta data and filters outside of it in force", () => {
    const page = parsePage(
      '<h1>Title</h1><i data-pagefind-meta="a:1" data-pagefind-filter="b:2"></i><p data-pagefind-body>text',
    );
    expect(page).toMatchObject({ title: "Title", frontmatter: { a: "1" }, site: { filters: { b: ["2"] } } });
  });
});

describe("data-pagefind-ignore", () => {
  it.each(["", "index", "true"])(
    "with the value %j leaves out the text and keeps meta data, filters and title",
    (value) => {
      const page = parsePage(
        `<div data-pagefind-ignore="${value}"><h1>Title</h1><p data-pagefind-meta="a">v</p><b data-pagefind-filter="c">d</b></div><p>text`,
      );
      expect(wordsOf(page)).toBe("text");
      expect(page).toMatchObject({ title: "Title", frontmatter: { a: "v" }, site: { filters: { c: ["d"] } } });
    },
  );

  it.each(["all", "ALL", "nonsense"])("with the value %j leaves out everything", (value) => {
    const page = parsePage(
      `<title>Page</title><div data-pagefind-ignore="${value}"><h1>No</h1><p data-pagefind-meta="a">v</p><b data-pagefind-filter="c">d</b></div><p>text`,
    );
    expect(wordsOf(page)).toBe("text");
    expect(page).toMatchObject({ title: "Page", frontmatter: {}, site: { filters: {} } });
  });

  it.each("style script noscript label form svg footer nav iframe template".split(" "))(
    "is not needed for <%s>",
    (name) => {
      const inside = name === "svg" ? "<text>hidden</text>" : "hidden";
      expect(wordsOf(parsePage(`<body><p>a</p><${name}>${inside}</${name}><p>b</p>`))).not.toContain("hidden");
    },
  );

  it("is not taken from what is merely hidden from sight", () => {
    expect(wordsOf(parsePage("<p hidden>a</p><p aria-hidden=true>b</p>"))).toBe("a b");
  });
});

describe("data-pagefind-index-attrs", () => {
  it("reads attributes as text, where the element stands", () => {
    const page = parsePage(
      '<p>a <img title="The title" alt="The alt" data-pagefind-index-attrs="title, data-x" data-x="X"> b',
    );
    expect(wordsOf(page)).toBe("a The title X The alt b");
  });
});

describe("data-pagefind-meta", () => {
  const meta = (html: string) => parsePage(html).frontmatter;

  it("takes the text of the element", () => {
    expect(meta("<p data-pagefind-meta=author>Ada <b>L.</b></p>")).toEqual({ author: "Ada L." });
  });

  it("takes an attribute", () => {
    expect(meta('<img data-pagefind-meta="hero[src]" src=/a.png>')).toEqual({ hero: "/a.png" });
  });

  it("takes a value that is written inline, commas and colons included", () => {
    expect(meta('<p data-pagefind-meta="date:2022-06-01, 10:30"></p>')).toEqual({ date: "2022-06-01, 10:30" });
  });

  it("takes several with commas between them", () => {
    expect(meta('<a href=/ title=Home data-pagefind-meta="text, title2[title], other:Free, text">Hi</a>')).toEqual({
      text: "Hi",
      title2: "Home",
      other: "Free, text",
    });
  });

  it("keeps one value of a key, the last", () => {
    expect(meta('<b data-pagefind-meta="a:1"></b><b data-pagefind-meta="a:2"></b>')).toEqual({ a: "2" });
  });

  it("says the title, over the first heading and <title>", () => {
    const title = (html: string) => parsePage(`<title>Page</title>${html}`).title;
    expect(title("")).toBe("Page");
    expect(title("<h1> </h1><h1>First</h1><h1>Second</h1>")).toBe("First");
    expect(title('<h1>First</h1><p data-pagefind-meta="title">Own</p>')).toBe("Own");
    expect(title('<nav><h1>In nav</h1></nav><p data-pagefind-default-meta="title:Default"></p>')).toBe("In nav");
    expect(parsePage("<p>x", { path: "guide/first-steps.html" }).title).toBe("First steps");
  });

  it("says image and image_alt; else the first picture behind the title is taken", () => {
    const pictures = "<img src=0.png><h1>T</h1><img src=1.png alt=One><img src=2.png>";
    expect(meta(pictures)).toEqual({ image: "1.png", image_alt: "One" });
    expect(meta(`${pictures}<i data-pagefind-meta="image:own.png"></i>`)).toEqual({ image: "own.png" });
  });

  it("separates blocks inside by a space", () => {
    expect(meta("<div data-pagefind-meta=a><p>One</p><p>Two!</p></div>")).toEqual({ a: "One Two!" });
  });
});

describe("data-pagefind-default-meta", () => {
  it("gives way to what is found or said otherwise", () => {
    const head = '<head><meta data-pagefind-default-meta="image[content]" content=/social.png></head>';
    expect(parsePage(`${head}<h1>T</h1>`).frontmatter).toEqual({ image: "/social.png" });
    expect(parsePage(`${head}<h1>T</h1><img src=a.png alt=A>`).frontmatter).toEqual({ image: "a.png", image_alt: "A" });
  });
});

describe("data-pagefind-filter", () => {
  const filters = (html: string) => parsePage(html).site.filters;

  it("takes texts, attributes and inline values, several of a key", () => {
    expect(
      filters(
        '<h1 data-section=Docs data-kind=Guide data-pagefind-filter="heading, tag[data-section], tag[data-kind], author:Free, text">Hi</h1>' +
          "<p>By <b data-pagefind-filter=author>Ada</b>",
      ),
    ).toEqual({ heading: ["Hi"], tag: ["Docs", "Guide"], author: ["Free, text", "Ada"] });
  });

  it("counts in the head, and not for elements without text", () => {
    expect(
      filters('<head><meta data-pagefind-filter="by[content]" content=X></head><p data-pagefind-filter=no></p>'),
    ).toEqual({ by: ["X"] });
  });
});

describe("data-pagefind-sort", () => {
  it("takes one value of a key: a text, an attribute, an inline value", () => {
    const html =
      '<p data-pagefind-sort="date">2022-10-20</p><i data-w=10 data-pagefind-sort="weight[data-w], by:Z"></i>';
    expect(parsePage(html).site.sort).toEqual({ date: "2022-10-20.".slice(0, 10), weight: "10", by: "Z" });
  });
});

describe("data-pagefind-weight", () => {
  const weights = (html: string) =>
    parsePage(html).sections.flatMap(({ blocks }) => blocks.map(({ text, weight = 1 }) => [text, weight]));

  it("weighs the words in an element, the innermost deciding", () => {
    expect(weights("<div data-pagefind-weight=2>a <p data-pagefind-weight=0.5>b</p><p>c</p></div>d")).toEqual([
      ["a", 2],
      ["b", 0.5],
      ["c", 2],
      ["d", 1],
    ]);
  });

  it("is kept between 0 and 10, weighs parts of a line apart, and code and cells too", () => {
    expect(
      weights("<p>a <b data-pagefind-weight=99>b</b> <i data-pagefind-weight=-1>c</i> <u data-pagefind-weight=x>d"),
    ).toEqual([
      ["a", 1],
      ["b", 10],
      ["c", 0],
      ["d", 1],
    ]);
    expect(
      weights(
        "<pre data-pagefind-weight=3>x()</pre><table data-pagefind-weight=4><tr><td>y<td data-pagefind-weight=5>z",
      ),
    ).toEqual([
      ["x()", 3],
      ["y", 4],
      ["z", 5],
    ]);
  });
});

describe("the settings of a site", () => {
  it("exclude elements by selectors, as if they were ignored", () => {
    const html =
      '<div id=nav>x<b data-pagefind-meta=a>v</b></div><blockquote><span>y</span>z</blockquote><p id="prefix-1">w</p>text';
    const page = parsePage(html, { exclude: ["#nav", "blockquote > span", "[id^='prefix-']"] });
    expect(wordsOf(page)).toBe("z text");
    expect(page.frontmatter).toEqual({ a: "v" });
  });

  it("limit a page to its root, meta data and filters included", () => {
    const html =
      "<html lang=de><title>T</title><b data-pagefind-meta=a>v</b><main>text<b data-pagefind-meta=c>d</b></main>";
    expect(parsePage(html, { root: "main" })).toMatchObject({ title: "T", frontmatter: { c: "d", lang: "de" } });
    expect(wordsOf(parsePage(html, { root: "main" }))).toBe("textd");
    expect(parsePage(html, { root: "article" }).diagnostics).toMatchObject([{ code: "site-root-missing" }]);
  });
});

describe("data-pagefind-title", () => {
  const titlesOf = (html: string): unknown => parsePage(html).sections.map(({ title, anchor }) => [title, anchor]);

  it("is what a section is called whose heading, or the element around it, has the id", () => {
    expect(titlesOf('<h1>Page</h1><h2 id=a data-pagefind-title="  Called \n so ">Head</h2><p>x')).toEqual([
      ["Page", ""],
      ["Called so", "a"],
    ]);
    expect(titlesOf("<h1>Page</h1><section id=a data-pagefind-title=Setup><h2>Head</h2><p>x</section>")).toEqual([
      ["Page", ""],
      ["Setup", "a"],
    ]);
  });

  it("keeps the words of the heading, and counts nowhere else", () => {
    const page = parsePage("<h1>Page</h1><h2 id=a data-pagefind-title=Setup>Head</h2><p>text");
    expect(wordsOf(page)).toBe("Head text");
    for (const html of ["<h2 id=a data-pagefind-title=' '>Head</h2>", "<h2 data-pagefind-title=Setup>Head</h2>"]) {
      expect(titlesOf(`<h1>Page</h1>${html}`), html).toContainEqual(["Head", html.includes("id=a") ? "a" : ""]);
    }
  });
});

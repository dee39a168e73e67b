import { describe, expect, it } from "vitest";
import type { LinkFile } from "../../../../indexer/languages/base/language.ts";

import {
  codeFile,
  EXPORTED,
  edgesOf,
  type FileBuilder,
  findingsOf,
  link,
  manifest,
} from "../../../support/code-files.ts";

const free = (name: string) => ({ kind: "free", name }) as const;

/** A file with one class or function of each name. */
function declares(path: string, names: readonly string[], namespace = ""): LinkFile {
  const fill = (file: FileBuilder) => {
    for (const name of names) file.symbol(/^[A-Z]/.test(name) ? "class" : "function", name, EXPORTED);
  };
  return codeFile(path, fill, namespace);
}

describe("Python", () => {
  const files = [
    declares("src/app/__init__.py", []),
    declares("src/app/store/__init__.py", ["connect"]),
    declares("src/app/store/disk.py", ["Disk"]),
    declares("src/space/tool.py", ["run"]),
  ];

  it("finds modules by levels, from source roots, as submodules and through __init__", () => {
    const using = codeFile("src/app/main.py", (file) => {
      file.import(".store", "disk");
      file.import(".store.disk", "Disk");
      file.import("app.store", "connect");
      file.import("space", "tool");
      file.import(".", "store", "shop");
      file.use("calls", { kind: "import", import: 4 }, ["disk", "Disk"]);
      file.use("calls", { kind: "import", import: 3 }, ["run"]);
    });
    expect(edgesOf(link([using, ...files]), "src/app/main.py")).toEqual([
      "imports scope src/app/store/__init__.py",
      "imports scope src/app/store/disk.py",
      "imports scope src/app/store/disk.py#Disk",
      "imports scope src/app/store/__init__.py#connect",
      "imports scope src/space/tool.py",
      "imports scope src/app/__init__.py",
      "instantiates receiver src/app/store/disk.py#Disk",
      "calls receiver src/space/tool.py#run",
    ]);
  });

  it("passes on what __init__ imports, by name and by star", () => {
    const init = codeFile("lib/__init__.py", (file) => {
      file.import(".a", "one", "uno");
      file.import(".b", "*", "*");
    });
    const using = codeFile("main.py", (file) => {
      file.import("lib", "uno");
      file.import("lib", "*", "*");
      file.use("calls", free("two"));
      file.use("calls", free("print"));
    });
    const linked = link([init, declares("lib/a.py", ["one"]), declares("lib/b.py", ["two"]), using]);
    expect(edgesOf(linked, "main.py")).toEqual([
      "imports scope lib/__init__.py",
      "imports scope lib/a.py#one",
      "calls scope lib/b.py#two",
    ]);
  });

  it("names what is outside after the standard library or the module on top", () => {
    const using = codeFile("a.py", (file) => {
      file.import("os.path", "join");
      file.import("requests.adapters", "HTTPAdapter");
      file.import(".gone", "x");
    });
    const linked = link([using]);
    expect(edgesOf(linked, "a.py")).toEqual(["imports scope python:os", "imports scope pypi:requests"]);
    expect(findingsOf(linked)).toEqual(['unresolved-import a.py: ".gone" leads to no indexed file, wanted for "x"']);
  });
});

describe("Go", () => {
  it("binds names of the folder, of imported folders, and methods in other files of the package", () => {
    const files = [
      declares("store/store.go", ["Store"], "store"),
      codeFile("store/open.go", (file) => file.symbol("method", "Open", { memberOf: "Store" }), "store"),
      declares("store/store_test.go", ["Helper"], "store_test"),
    ];
    const using = codeFile(
      "cmd/main.go",
      (file) => {
        file.import("example.com/shop/store", "*", "store");
        file.import("fmt", "*", "fmt");
        file.use("type", { kind: "import", import: 0 }, ["Store"]);
        file.use("calls", { kind: "value", type: { root: { kind: "import", import: 0 }, members: ["Store"] } }, [
          "Open",
        ]);
        file.use("calls", free("sibling"));
        file.use("calls", free("Helper"));
      },
      "main",
    );
    const linked = link(
      [...files, using, declares("cmd/other.go", ["sibling"], "main")],
      [manifest("go.mod", "module example.com/shop\n\ngo 1.24\n")],
    );
    expect(edgesOf(linked, "cmd/main.go")).toEqual([
      "imports scope store/store.go",
      "imports scope store/open.go",
      "imports scope go:fmt",
      "type receiver store/store.go#Store",
      "calls receiver store/open.go#Store.Open",
      "calls scope cmd/other.go#sibling",
    ]);
    expect(linked.files.map((file) => file.package)).toEqual(["store", "store", "store", "cmd", "cmd"]);
  });
});

describe("Rust", () => {
  it("follows crate, super, workspace crates, inline modules and pub use", () => {
    const root = codeFile("core/src/lib.rs", (file) => {
      file.import("self::disk", "Disk", "Disk", { kind: "reexports" });
      const inner = file.symbol("module", "util", EXPORTED);
      file.symbol("function", "fold", { parent: inner, flags: ["exported"] });
    });
    const disk = codeFile("core/src/disk/mod.rs", (file) => {
      file.symbol("struct", "Disk", EXPORTED);
      file.import("super::util", "fold");
      file.use("calls", { kind: "import", import: 0 });
    });
    const file = codeFile("core/src/disk/file.rs", (builder) => {
      builder.import("crate::util::fold", "fold");
      builder.import("super", "Disk");
    });
    const tested = codeFile("core/src/tested.rs", (builder) => {
      builder.symbol("function", "checked");
      builder.symbol("module", "tests");
      builder.import("super", "*", "*", { from: 1 });
      builder.import("super::super", "Disk", "Disk", { from: 1 });
      builder.import("self", "tests", "tests");
      builder.use("calls", free("checked"), [], 1);
    });
    const app = codeFile("app/src/main.rs", (builder) => {
      builder.import("acme_core", "Disk");
      builder.import("std::io", "Read");
      builder.import("serde", "Serialize");
    });
    const linked = link(
      [root, disk, file, tested, app],
      [
        manifest("core/Cargo.toml", '[package]\nname = "acme-core"\n'),
        manifest("app/Cargo.toml", '[package]\nname="app"\n'),
      ],
    );
    expect(edgesOf(linked, "core/src/disk/mod.rs")).toEqual([
      "imports scope core/src/lib.rs",
      "imports scope core/src/lib.rs#util.fold",
      "calls scope core/src/lib.rs#util.fold",
    ]);
    expect(edgesOf(linked, "core/src/disk/file.rs")).toEqual([
      "imports scope core/src/lib.rs",
      "imports scope core/src/lib.rs#util.fold",
      "imports scope core/src/disk/mod.rs",
      "imports scope core/src/disk/mod.rs#Disk",
    ]);
    expect(edgesOf(linked, "core/src/tested.rs")).toEqual([
      "imports scope core/src/lib.rs",
      "imports scope core/src/disk/mod.rs#Disk",
      "imports scope core/src/tested.rs#tests",
      "calls scope core/src/tested.rs#checked",
    ]);
    expect(edgesOf(linked, "app/src/main.rs")).toEqual([
      "imports scope core/src/lib.rs",
      "imports scope core/src/disk/mod.rs#Disk",
      "imports scope rust:std",
      "imports scope cargo:serde",
    ]);
  });
});

describe("languages with namespaces", () => {
  it("find classes by package and name in Java, Kotlin and Scala alike", () => {
    const using = codeFile(
      "src/main/kotlin/app/Main.kt",
      (file) => {
        file.import("com.acme.store", "Store");
        file.import("com.acme.util", "*", "*");
        file.import("java.util", "List");
        file.use("instantiates", { kind: "import", import: 0 });
        file.use("calls", free("fold"));
        file.use("type", free("Peer"));
      },
      "app",
    );
    const linked = link([
      declares("src/main/java/com/acme/store/Store.java", ["Store"], "com.acme.store"),
      declares("src/main/kotlin/com/acme/util/Fold.kt", ["fold"], "com.acme.util"),
      declares("src/main/kotlin/app/Peer.kt", ["Peer"], "app"),
      using,
    ]);
    expect(edgesOf(linked, "src/main/kotlin/app/Main.kt")).toEqual([
      "imports scope src/main/java/com/acme/store/Store.java",
      "imports scope src/main/java/com/acme/store/Store.java#Store",
      "imports scope src/main/kotlin/com/acme/util/Fold.kt",
      "imports scope java:java.util",
      "instantiates scope src/main/java/com/acme/store/Store.java#Store",
      "calls scope src/main/kotlin/com/acme/util/Fold.kt#fold",
      "type scope src/main/kotlin/app/Peer.kt#Peer",
    ]);
  });

  it("see namespaces around and parts of a class in C#", () => {
    const part = (path: string, member: string) =>
      codeFile(
        path,
        (file) => {
          file.symbol("class", "Store", { ...EXPORTED, signature: "public partial class Store" });
          file.symbol("method", member, { parent: 0 });
        },
        "Acme.Shop",
      );
    const using = codeFile(
      "Main.cs",
      (file) => {
        file.import("System.Text", "*", "");
        file.use("calls", { kind: "value", type: { root: free("Store"), members: [] } }, ["Close"]);
      },
      "Acme.Shop.Web",
    );
    expect(edgesOf(link([part("A.cs", "Open"), part("B.cs", "Close"), using]), "Main.cs")).toEqual([
      "imports scope dotnet:System.Text",
      "calls receiver B.cs#Store.Close",
    ]);
  });

  it("are symbols themselves where they have a body", () => {
    const store = codeFile(
      "Store.cs",
      (file) => {
        file.symbol("namespace", "Acme.Shop", EXPORTED);
        file.symbol("class", "Store", { parent: 0, flags: ["exported"], signature: "partial class Store" });
      },
      "Acme.Shop",
    );
    const part = codeFile(
      "Part.cs",
      (file) => {
        file.symbol("namespace", "Acme.Shop", EXPORTED);
        file.symbol("class", "Store", { parent: 0, flags: ["exported"], signature: "partial class Store" });
        file.symbol("method", "Open", { parent: 1 });
      },
      "Acme.Shop",
    );
    const using = codeFile("Main.cs", (file) => {
      file.import("Acme.Shop", "*", "*");
      file.use("calls", { kind: "value", type: { root: free("Store"), members: [] } }, ["Open"]);
    });
    expect(edgesOf(link([store, part, using]), "Main.cs")).toEqual([
      "imports scope Part.cs",
      "calls receiver Part.cs#Acme.Shop.Store.Open",
    ]);
    const header = codeFile("shop.hpp", (file) => {
      file.symbol("namespace", "shop");
      file.symbol("class", "Store", { parent: 0 });
    });
    const source = codeFile("shop.cpp", (file) => {
      file.import("shop.hpp", "*", "*");
      file.import("shop", "*", "*");
      file.import("std", "*", "*");
      file.use("type", free("Store"));
    });
    expect(edgesOf(link([header, source]), "shop.cpp")).toEqual([
      "imports scope shop.hpp",
      "imports scope c:std",
      "type scope shop.hpp#shop.Store",
    ]);
  });

  it("find classes of PHP by namespace and files by psr-4", () => {
    const using = codeFile(
      "public/index.php",
      (file) => {
        file.import("Acme\\Shop\\Store", "*", "Store");
        file.import("Acme\\Views\\page", "*", "page");
        file.import("Psr\\Log\\LoggerInterface", "*", "LoggerInterface");
        file.use("instantiates", { kind: "import", import: 0 });
      },
      "App",
    );
    const composer = manifest("composer.json", { name: "acme/shop", autoload: { "psr-4": { "Acme\\": "src/" } } });
    const linked = link(
      [declares("src/Shop/Store.php", ["Store"], "Acme\\Shop"), codeFile("src/Views/page.php"), using],
      [composer],
    );
    expect(edgesOf(linked, "public/index.php")).toEqual([
      "imports scope src/Shop/Store.php",
      "imports scope src/Views/page.php",
      "imports scope php:Psr.Log",
      "instantiates scope src/Shop/Store.php#Store",
    ]);
  });

  it("lead to no function of PHP where only a class can stand", () => {
    const using = codeFile("a.php", (file) => {
      const a = file.symbol("class", "A");
      for (const name of ["foo", "Both"]) {
        for (const kind of ["extends", "implements", "instantiates", "calls"] as const)
          file.use(kind, free(name), [], a);
      }
    });
    const declaring = codeFile("b.php", (file) => {
      file.symbol("function", "foo");
      file.symbol("function", "Both");
      file.symbol("class", "Both");
    });
    expect(edgesOf(link([using, declaring]), "a.php")).toEqual([
      "calls scope b.php#foo",
      "extends scope b.php#Both~2",
      "implements scope b.php#Both~2",
      "instantiates scope b.php#Both~2",
      "calls scope b.php#Both",
    ]);
  });

  it("share a module in Swift and constants in Ruby", () => {
    const swift = link([
      declares("Sources/Shop/Store.swift", ["Store"]),
      declares("Sources/Other/Store.swift", ["Store"]),
      codeFile("Sources/Shop/main.swift", (file) => file.use("type", free("Store"))),
    ]);
    expect(edgesOf(swift, "Sources/Shop/main.swift")).toEqual(["type scope Sources/Shop/Store.swift#Store"]);
    const ruby = link([
      declares("lib/store.rb", ["Store"]),
      codeFile("bin/run.rb", (file) => {
        file.import("store", "*", "");
        file.import("json", "*", "");
        file.use("instantiates", free("Store"));
      }),
    ]);
    expect(edgesOf(ruby, "bin/run.rb")).toEqual([
      "imports scope lib/store.rb",
      "imports scope gem:json",
      "instantiates scope lib/store.rb#Store",
    ]);
  });
});

describe("C and shells", () => {
  it("bind names through includes, then to the one definition, and list candidates of an ambiguous include", () => {
    const main = codeFile("src/main.c", (file) => {
      file.import("store.h", "*", "");
      file.import("stdio.h", "*", "");
      file.import("part/twin.h", "*", "");
      file.use("calls", free("open_store"));
      file.use("calls", free("only_here"));
      file.use("calls", free("twice"));
      file.use("calls", free("printf"));
    });
    const header = codeFile("include/store.h", (file) => {
      file.import("types.h", "*", "");
    });
    const linked = link([
      main,
      header,
      declares("include/types.h", ["open_store"]),
      declares("src/other.c", ["only_here", "twice", "open_store"]),
      declares("src/more.c", ["twice"]),
      codeFile("a/part/twin.h"),
      codeFile("b/part/twin.h"),
    ]);
    expect(edgesOf(linked, "src/main.c")).toEqual([
      "imports scope include/store.h",
      "imports scope c:stdio.h",
      "calls scope include/types.h#open_store",
      "calls scope src/other.c#only_here",
    ]);
    expect(findingsOf(linked)).toEqual([
      'ambiguous-import src/main.c: "part/twin.h" can be a/part/twin.h, b/part/twin.h; it leads to none of them',
    ]);
  });

  it("bind functions of sourced scripts", () => {
    const using = codeFile("bin/run.sh", (file) => {
      file.import("../lib/log.sh", "*", "");
      file.use("calls", free("log_line"));
      file.use("calls", free("echo"));
    });
    expect(edgesOf(link([using, declares("lib/log.sh", ["log_line"])]), "bin/run.sh")).toEqual([
      "imports scope lib/log.sh",
      "calls scope lib/log.sh#log_line",
    ]);
  });
});

import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.tree.JCTree;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.tools.*;

/**
 * Prints for each name in the Java files of a folder where it stands and where its declaration does, as the JDK's compiler
 * sees it: "path:line:column TAB path:line:column", with "../elsewhere:1:1" for what the folder does not declare.
 */
public class JavaReferences {
  static Path root;
  static Trees trees;
  static PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);

  public static void main(String[] args) throws Exception {
    root = Path.of(args[0]).toAbsolutePath();
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(f -> f.toString().endsWith(".java") && !f.endsWith("module-info.java")).sorted().collect(Collectors.toList());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(d -> {}, null, StandardCharsets.UTF_8);
    List<String> options = List.of("-proc:none", "-Xmaxerrs", "1", "-nowarn", "-XDshould-stop.ifError=FLOW");
    JavacTask task = (JavacTask) compiler.getTask(new StringWriter(), manager, d -> {}, options, null, manager.getJavaFileObjectsFromPaths(files));
    trees = Trees.instance(task);
    List<CompilationUnitTree> units = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) units.add(unit);
    task.analyze();
    for (CompilationUnitTree unit : units) new Scanner(unit).scan(unit, null);
    out.flush();
  }

  static String place(CompilationUnitTree unit, long offset) {
    LineMap lines = unit.getLineMap();
    long line = lines.getLineNumber(offset);
    String path = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
    // The line map counts a tab as several columns.
    return path + ":" + line + ":" + (offset - lines.getStartPosition(line) + 1);
  }

  /** Where the name of a declaration stands. */
  static long nameAt(CompilationUnitTree unit, Tree tree, String name) throws IOException {
    long from = ((JCTree) tree).pos;
    CharSequence text = unit.getSourceFile().getCharContent(true);
    if (tree instanceof ClassTree) from = Math.max(from, trees.getSourcePositions().getEndPosition(unit, ((ClassTree) tree).getModifiers()));
    for (int at = (int) from; at < text.length(); at++) {
      if (!Character.isJavaIdentifierStart(text.charAt(at))) continue;
      int end = at;
      while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) end++;
      if (text.subSequence(at, end).toString().equals(name)) return at;
      at = end;
    }
    return from;
  }

  static class Scanner extends TreePathScanner<Void, Void> {
    final CompilationUnitTree unit;
    final SourcePositions positions = trees.getSourcePositions();

    Scanner(CompilationUnitTree unit) {
      this.unit = unit;
    }

    void use(Tree tree, String name, boolean atEnd) {
      Element element = trees.getElement(getCurrentPath());
      if (element == null || element.asType().getKind() == javax.lang.model.type.TypeKind.ERROR) return;
      if (element.getKind() == ElementKind.PACKAGE) return;
      long start = atEnd ? positions.getEndPosition(unit, tree) - name.length() : positions.getStartPosition(unit, tree);
      if (start < 0) return;
      String to = "../elsewhere:1:1";
      try {
        TreePath path = trees.getPath(element);
        if (path != null) {
          String own = element.getKind() == ElementKind.CONSTRUCTOR ? element.getEnclosingElement().getSimpleName().toString() : element.getSimpleName().toString();
          CompilationUnitTree in = path.getCompilationUnit();
          to = place(in, nameAt(in, path.getLeaf(), own));
        }
        out.println(place(unit, start) + "\t" + to);
      } catch (IOException | RuntimeException error) {
        // Not judged.
      }
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void none) {
      use(tree, tree.getName().toString(), false);
      return super.visitIdentifier(tree, none);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void none) {
      use(tree, tree.getIdentifier().toString(), true);
      return super.visitMemberSelect(tree, none);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void none) {
      use(tree, tree.getName().toString(), true);
      return super.visitMemberReference(tree, none);
    }
  }
}

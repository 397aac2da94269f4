import Retrieval
import Testing

@Suite("Sections of source code")
struct CodeReaderTests {
    static let sources: [(String, String, [String])] = [
        (
            "a.py",
            """
            import os

            # Leads f.
            @decorated(1,
                2)
            def f(x):
                \"\"\"def no(): pass
            def neither(): pass
                \"\"\"
                def inner(): pass

            class A(B):
                x = 1

                async def m(self):
                    return (1,
            2)
            y = 2
            """, ["function f - | # Leads f.", "type A - | class A(B):", "function m 1 | async def m(self):"]
        ),
        (
            "a.swift",
            """
            let a = 1
            /// Says what.
            @frozen
            public struct S<T>: P where T: Q {
                var x: Int { 1 }
                init(_ x: Int) { self.x = "}" }
                func f() -> Int {
                    func inner() {}
                    return 1
                }
            }

            extension S { static func g() {} }
            if a == 1 { print("func no() {") }
            """,
            [
                "type S - | /// Says what.", "function init 0 | init(_ x: Int) { self.x = \"}\" }",
                "function f 0 | func f() -> Int {", "type S - | extension S { static func g() {} }",
                "function g 3 | static func g() {}",
            ]
        ),
        (
            "a.cpp",
            """
            // License

            #define M(x) do { x } while (0)
            namespace a {
            /// A thing.
            template <typename T>
            class Foo : public Bar {
                int get() const { return '{'; }
            };
            }
            extern "C" {
            static int f(const char *s)
            {
                if (s) { return 1; }
            }
            }
            int table[] = { 1, 2 };
            """,
            [
                "type a - | namespace a {", "type Foo 0 | /// A thing.",
                "function get 1 | int get() const { return '{'; }",
                "function f - | static int f(const char *s)",
            ]
        ),
        (
            "a.ts",
            """
            export class Foo extends Bar {
              s = `a ${b} {`;
              method(a: number): string { return "}"; }
            }
            export const f = async (x) => { return 1; };
            const obj = { a: 1 };
            if (x) { y(); }
            """,
            [
                "type Foo - | export class Foo extends Bar {",
                "function method 0 | method(a: number): string { return \"}\"; }",
                "function f - | export const f = async (x) => { return 1; };",
            ]
        ),
        (
            "a.rs",
            """
            #[derive(Debug)]
            pub struct P<'a> { x: &'a str }
            impl<'a> P<'a> {
                pub fn new(x: &'a str) -> Self { Self { x } }
            }
            impl Foo for P { fn g(&self) {} }
            """,
            [
                "type P - | #[derive(Debug)]", "type P - | impl<'a> P<'a> {",
                "function new 1 | pub fn new(x: &'a str) -> Self { Self { x } }",
                "type Foo for P - | impl Foo for P { fn g(&self) {} }", "function g 3 | fn g(&self) {}",
            ]
        ),
        (
            "a.go",
            """
            // Server serves.
            type Server struct {
            \ta int
            }
            func (s *Server) Run(x int) error { return nil }
            func main() { for i := 0; i < 3; i++ { } }
            """,
            [
                "type Server - | // Server serves.",
                "function Run - | func (s *Server) Run(x int) error { return nil }",
                "function main - | func main() { for i := 0; i < 3; i++ { } }",
            ]
        ),
        (
            "A.java",
            """
            /** Doc
             * of A. */
            @Entity(name = "x")
            public class A<T> {
                public A() {}
                @Override
                public List<T> get(int i) throws E { synchronized (this) { return null; } }
            }
            """,
            [
                "type A - | /** Doc", "function A 0 | public A() {}", "function get 0 | @Override",
            ]
        ),
        (
            "a.rb", "module M\n  def f\n    1\n  end\n  def g; end\nend\n",
            ["type M - | module M", "function f 0 | def f", "function g 0 | def g; end"]
        ),
        ("a.yaml", "a: {b: 1}\n", []),
    ]

    @Test("declarations have their parents and start positions", arguments: sources)
    func declarations(name: String, text: String, expected: [String]) throws {
        let document = try #require(try documents(name, text).documents.first)
        #expect(document.kind == .code && document.text == text)
        let seen = document.sections.map { section in
            let first = document.part(section.range).split(separator: "\n").first?.drop(while: \.isWhitespace) ?? ""
            return "\(section.kind.rawValue) \(section.title) \(section.parent.map(String.init) ?? "-") | \(first)"
        }
        #expect(seen == expected)
        for section in document.sections {
            if let parent = section.parent {
                #expect(document.sections[parent].range.contains(section.range.lowerBound))
            }
        }
    }

    @Test("a function ends at its brace or its last line")
    func ends() throws {
        let swift = try #require(try documents("a.swift", "func f() { 1 }\nfunc g() {}\n").documents.first)
        #expect(swift.sections.map { swift.part($0.range) } == ["func f() { 1 }", "func g() {}"])
        let python = try #require(
            try documents("a.py", "def f():\n    1\n\n# about g\ndef g(): pass\n").documents.first)
        #expect(python.sections.map { python.part($0.range) } == ["def f():\n    1", "# about g\ndef g(): pass\n"])
    }

    @Test(
        "hostile nesting takes linear time",
        arguments: ["{", "}", "(", "f() {", "class a {", "\"", "/*", "def f():\n ", "'", "x\n", "@a\n", "#\n"])
    func hostile(piece: String) throws {
        let text = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
        let start = ContinuousClock.now
        for name in ["a.swift", "a.cpp", "a.py", "a.rs"] { _ = try documents(name, text) }
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}

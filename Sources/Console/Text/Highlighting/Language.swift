/// Languages with syntax highlighting.
public enum Language: UInt8, Hashable, Sendable, CaseIterable {
    /// Plain text and text formats.
    case plain, json, markdown, diff
    /// Programming, query, configuration, and markup languages.
    case swift, python, javascript, typescript, c, rust, go, java, shell, sql, toml, yaml, html

    /// Creates a language from the name in a fence or setting, or from a file extension; `nil` if it is unknown.
    public init?(name: some StringProtocol) {
        switch name.lowercased() {
        case "plain", "text", "txt", "log", "console", "output": self = .plain
        case "json", "jsonl", "ndjson", "json5", "jsonc", "ipynb", "geojson": self = .json
        case "markdown", "md", "mdx", "qmd": self = .markdown
        case "diff", "patch": self = .diff
        case "swift": self = .swift
        case "python", "py", "pyi", "python3", "py3": self = .python
        case "javascript", "js", "jsx", "mjs", "cjs", "node": self = .javascript
        case "typescript", "ts", "tsx", "mts", "cts": self = .typescript
        case "c", "h", "cpp", "c++", "cc", "cxx", "hpp", "hh", "hxx", "cu", "cuda", "cl", "objc", "m", "mm": self = .c
        case "rust", "rs": self = .rust
        case "go", "golang": self = .go
        case "java", "kotlin", "kt", "kts", "scala", "cs", "csharp": self = .java
        case "shell", "sh", "bash", "zsh", "shellscript", "make", "makefile", "dockerfile": self = .shell
        case "sql", "sqlite", "postgresql", "psql", "mysql": self = .sql
        case "toml", "ini", "cfg", "conf", "editorconfig": self = .toml
        case "yaml", "yml": self = .yaml
        case "html", "htm", "xml", "svg", "xhtml", "vue", "plist": self = .html
        default: return nil
        }
    }

    /// Creates a language from the extension of a path, or `plain` if it is unknown.
    public init(path: some StringProtocol) {
        let slash: Character = "/"
        let dot: Character = "."
        let file = String(path).split(separator: slash).last.map(String.init) ?? ""
        let suffix = file.split(separator: dot).last.map(String.init) ?? ""
        self = Language(name: suffix) ?? .plain
    }

    /// Creates a language from the first bytes of a text: JSON, a diff, a script, or HTML; otherwise `plain`.
    public init(guessing text: String) {
        let head = text.utf8.prefix(512).drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        let start = String(decoding: head, as: UTF8.self)
        switch head.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let second = head.dropFirst().first { $0 > 0x20 }
            let opens = second.map { "\"{[]}0123456789-tfn".utf8.contains($0) } ?? false
            self = opens ? .json : .plain
        case UInt8(ascii: "d") where start.hasPrefix("diff "),
            UInt8(ascii: "-") where start.hasPrefix("--- a/") || start.hasPrefix("--- /dev/null"),
            UInt8(ascii: "@") where start.hasPrefix("@@ -"):
            self = .diff
        case UInt8(ascii: "#") where start.hasPrefix("#!"):
            let line = start.prefix { $0 != "\n" }
            self = line.contains("python") ? .python : line.contains("node") ? .javascript : .shell
        case UInt8(ascii: "<"):
            let lower = start.lowercased()
            self = ["<!doctype", "<html", "<?xml", "<svg"].contains { lower.hasPrefix($0) } ? .html : .plain
        default:
            self = .plain
        }
    }
}

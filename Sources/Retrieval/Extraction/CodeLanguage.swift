/// The properties of a programming language that are needed to find its functions and types.
struct CodeLanguage: Sendable {
    enum Layout: Sendable {
        case braces
        /// Blocks are set in; where there is a word, it closes them.
        case indentation(end: String?)
        /// Text without structure, except comments: no sections.
        case none
    }

    var name: String
    var suffixes: [String]
    var layout = Layout.none
    var lineComments: [String] = ["//"]
    var blockComment: (open: String, close: String)? = ("/*", "*/")
    /// Strings that end with the line, and those that do not, longest first.
    var quotes: [UInt8] = [UInt8(ascii: "\"")]
    var longQuotes: [String] = []
    var types: Set<String> = []
    var functions: Set<String> = []
    /// `int main() {` is a function without a word that says so.
    var namesFunctionsByParentheses = false
    /// `#` begins a line for the preprocessor.
    var hasPreprocessor = false
    /// Whether a single quote can be something other than a string: lifetimes, digit separators.
    var hasSingleQuotedCharacters = false

    static func of(suffix: String, name: String) -> CodeLanguage? {
        if let found = bySuffix[suffix] { return found }
        switch name {
        case "Makefile", "makefile", "GNUmakefile", "Dockerfile", "CMakeLists.txt":
            return CodeLanguage(
                name: name == "CMakeLists.txt" ? "cmake" : name.lowercased(), suffixes: [], lineComments: ["#"])
        default: return nil
        }
    }

    private static let bySuffix: [String: CodeLanguage] = {
        var table: [String: CodeLanguage] = [:]
        for language in all { for suffix in language.suffixes { table[suffix] = language } }
        return table
    }()

    private static let cTypes: Set<String> = ["struct", "union", "enum", "class", "namespace"]
    private static let scripts: Set<String> = ["class", "interface", "enum", "namespace", "module"]

    static let all: [CodeLanguage] = [
        CodeLanguage(
            name: "swift", suffixes: [".swift"], layout: .braces, longQuotes: ["\"\"\""],
            types: ["class", "struct", "enum", "protocol", "extension", "actor"],
            functions: ["func", "init", "deinit", "subscript"]),
        CodeLanguage(
            name: "python", suffixes: [".py", ".pyi"], layout: .indentation(end: nil), lineComments: ["#"],
            blockComment: nil, quotes: [0x22, 0x27], longQuotes: ["\"\"\"", "'''"], types: ["class"], functions: ["def"]
        ),
        CodeLanguage(
            name: "ruby", suffixes: [".rb"], layout: .indentation(end: "end"), lineComments: ["#"], blockComment: nil,
            quotes: [0x22, 0x27], types: ["class", "module"], functions: ["def"]),
        CodeLanguage(
            name: "lua", suffixes: [".lua"], layout: .indentation(end: "end"), lineComments: ["--"],
            blockComment: ("--[[", "]]"), quotes: [0x22, 0x27], functions: ["function"]),
        CodeLanguage(
            name: "c", suffixes: [".c", ".h"], layout: .braces, types: cTypes, namesFunctionsByParentheses: true,
            hasPreprocessor: true, hasSingleQuotedCharacters: true),
        CodeLanguage(
            name: "c++", suffixes: [".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".cu", ".cuh", ".mm", ".m", ".cl"],
            layout: .braces, types: cTypes, namesFunctionsByParentheses: true, hasPreprocessor: true,
            hasSingleQuotedCharacters: true),
        CodeLanguage(
            name: "javascript", suffixes: [".js", ".jsx", ".mjs", ".cjs"], layout: .braces, quotes: [0x22, 0x27],
            longQuotes: ["`"], types: scripts, functions: ["function"], namesFunctionsByParentheses: true),
        CodeLanguage(
            name: "typescript", suffixes: [".ts", ".tsx", ".mts"], layout: .braces, quotes: [0x22, 0x27],
            longQuotes: ["`"], types: scripts, functions: ["function"], namesFunctionsByParentheses: true),
        CodeLanguage(
            name: "go", suffixes: [".go"], layout: .braces, longQuotes: ["`"], types: ["type"], functions: ["func"],
            hasSingleQuotedCharacters: true),
        CodeLanguage(
            name: "rust", suffixes: [".rs"], layout: .braces,
            types: ["struct", "enum", "trait", "impl", "mod", "union"],
            functions: ["fn"], hasSingleQuotedCharacters: true),
        CodeLanguage(
            name: "java", suffixes: [".java"], layout: .braces, longQuotes: ["\"\"\""],
            types: ["class", "interface", "enum", "record"], namesFunctionsByParentheses: true,
            hasSingleQuotedCharacters: true),
        CodeLanguage(
            name: "c#", suffixes: [".cs"], layout: .braces, longQuotes: ["\"\"\""],
            types: ["class", "interface", "enum", "record", "struct", "namespace"], namesFunctionsByParentheses: true,
            hasPreprocessor: true, hasSingleQuotedCharacters: true),
        CodeLanguage(
            name: "kotlin", suffixes: [".kt", ".kts"], layout: .braces, longQuotes: ["\"\"\""],
            types: ["class", "interface", "object"], functions: ["fun"], hasSingleQuotedCharacters: true),
        CodeLanguage(
            name: "scala", suffixes: [".scala"], layout: .braces, longQuotes: ["\"\"\""],
            types: ["class", "trait", "object", "enum"], functions: ["def"], hasSingleQuotedCharacters: true),
        CodeLanguage(
            name: "php", suffixes: [".php"], layout: .braces, quotes: [0x22, 0x27],
            types: ["class", "interface", "trait", "enum"], functions: ["function"]),
        CodeLanguage(name: "shell", suffixes: [".sh", ".bash", ".zsh", ".fish"], lineComments: ["#"]),
        CodeLanguage(name: "sql", suffixes: [".sql"], lineComments: ["--"]),
        CodeLanguage(name: "yaml", suffixes: [".yaml", ".yml"], lineComments: ["#"]),
        CodeLanguage(name: "toml", suffixes: [".toml", ".ini", ".cfg", ".conf"], lineComments: ["#"]),
        CodeLanguage(name: "json", suffixes: [".json"]),
        CodeLanguage(name: "xml", suffixes: [".xml", ".svg", ".plist"]),
        CodeLanguage(name: "css", suffixes: [".css", ".scss", ".less"]),
        CodeLanguage(name: "r", suffixes: [".r"], lineComments: ["#"]),
        CodeLanguage(name: "julia", suffixes: [".jl"], lineComments: ["#"]),
        CodeLanguage(name: "haskell", suffixes: [".hs"], lineComments: ["--"]),
        CodeLanguage(name: "assembly", suffixes: [".s", ".asm"], lineComments: [";"]),
        CodeLanguage(name: "protobuf", suffixes: [".proto"]),
    ]
}

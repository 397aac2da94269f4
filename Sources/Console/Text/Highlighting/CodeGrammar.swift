/// What the lexer must know of a language: data, not code.
struct CodeGrammar: Sendable {
    /// How one kind of string is written.
    struct Quotes: Sendable {
        var open: [UInt8]
        var close: [UInt8]
        var spansLines: Bool
        var escapes: Bool

        init(_ open: String, _ close: String? = nil, spansLines: Bool = false, escapes: Bool = true) {
            self.open = Array(open.utf8)
            self.close = Array((close ?? open).utf8)
            self.spansLines = spansLines
            self.escapes = escapes
        }
    }

    /// How a name is told that stands before a value, as data languages have it.
    enum Keys: Sendable { case none, colon, equals }

    var lineComments: [[UInt8]] = []
    var blockComment: (open: [UInt8], close: [UInt8])?
    var nestsComments = false
    /// Longer openings first.
    var quotes: [Quotes] = []
    var keywords: Set<UInt64> = []
    var constants: Set<UInt64> = []
    var types: Set<UInt64> = []
    /// Whether names that begin with a capital are types.
    var capitalsAreTypes = true
    /// Whether a name before a parenthesis is a function.
    var callsAreFunctions = true
    var ignoresCase = false
    /// Whether a comment sign must follow a blank, as `#` must in a shell.
    var commentsFollowBlanks = false
    /// Begins a name of another kind: attributes, macros, variables.
    var sigils: [UInt8: Role] = [:]
    /// Directives at the start of a line.
    var directive: UInt8?
    var keys = Keys.none

    /// FNV-1a of a name; a collision costs a color.
    static func hash(_ name: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    static func words(_ list: String) -> Set<UInt64> {
        Set(list.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }).map { hash($0) })
    }

    /// The grammar of a language; one without words for what has none. Each is made when it is first asked for.
    static func of(_ language: Language) -> CodeGrammar {
        switch language {
        case .swift: swift
        case .python: python
        case .javascript, .typescript: javascript
        case .c: c
        case .rust: rust
        case .go: go
        case .java: java
        case .shell: shell
        case .sql: sql
        case .toml: toml
        case .yaml: yaml
        case .plain, .json, .markdown, .diff, .html: CodeGrammar()
        }
    }
}

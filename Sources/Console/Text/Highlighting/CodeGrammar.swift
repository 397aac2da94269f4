import Hashing

/// The lexical grammar of a language, as data for the shared lexer.
struct CodeGrammar: Sendable {
    /// The notation of one kind of string.
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

    /// Separators after keys in data languages.
    enum Keys: Sendable { case none, colon, equals }

    var lineComments: [[UInt8]] = []
    var blockComment: (open: [UInt8], close: [UInt8])?
    var nestsComments = false
    /// Kinds of strings, with longer opening quotes first.
    var quotes: [Quotes] = []
    var keywords: Set<UInt64> = []
    var constants: Set<UInt64> = []
    var types: Set<UInt64> = []
    /// Whether names that start with a capital letter are types.
    var capitalsAreTypes = true
    /// Whether a name before a parenthesis is a function.
    var callsAreFunctions = true
    var ignoresCase = false
    /// Whether a comment must follow a blank, like `#` in a shell.
    var commentsFollowBlanks = false
    /// Roles of names by their first character: attributes, macros, and variables.
    var sigils: [UInt8: Role] = [:]
    /// First character of directives at the start of a line.
    var directive: UInt8?
    var keys = Keys.none

    /// Returns the FNV-1a hash of a name. A collision only causes a wrong color.
    static func hash(_ name: some Sequence<UInt8>) -> UInt64 {
        FNV1a.hash(name)
    }

    static func words(_ list: String) -> Set<UInt64> {
        Set(list.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }).map { hash($0) })
    }

    /// Returns the grammar of a language; empty for plain text and for languages with their own highlighter. Created on
    /// first use.
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

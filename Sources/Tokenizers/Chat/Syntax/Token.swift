extension Jinja {
    /// A token of a template and where it begins.
    struct Token {
        enum Kind: Equatable {
            /// Text outside of tags, white space already stripped as the tags around it ask.
            case data(String)
            case variableBegin, variableEnd, blockBegin, blockEnd
            case name(String)
            case string(String)
            case integer(String)
            case float(Double)
            case symbol(Symbol)
            case end
        }

        /// Operators and brackets.
        enum Symbol: String, CaseIterable {
            case power = "**"
            case floorDivide = "//"
            case equal = "=="
            case notEqual = "!="
            case greaterOrEqual = ">="
            case lessOrEqual = "<="
            case add = "+"
            case subtract = "-"
            case divide = "/"
            case multiply = "*"
            case remainder = "%"
            case tilde = "~"
            case openBracket = "["
            case closeBracket = "]"
            case openParenthesis = "("
            case closeParenthesis = ")"
            case openBrace = "{"
            case closeBrace = "}"
            case greater = ">"
            case less = "<"
            case assign = "="
            case dot = "."
            case colon = ":"
            case pipe = "|"
            case comma = ","
            case semicolon = ";"
        }

        var kind: Kind
        /// Bytes from the start of the source.
        var offset: Int
        var place = Place(line: 1, column: 1)

        /// What it is, for sentences.
        var name: String {
            switch kind {
            case .data: "text"
            case .variableBegin: "`{{`"
            case .variableEnd: "`}}`"
            case .blockBegin: "`{%`"
            case .blockEnd: "`%}`"
            case .name(let name): "`\(name)`"
            case .string: "a string"
            case .integer, .float: "a number"
            case .symbol(let symbol): "`\(symbol.rawValue)`"
            case .end: "the end of the template"
            }
        }
    }
}

internal import System

/// Reads a scalar program by recursive descent.
struct ScalarProgramParser {
    private let characters: [Character]
    private var place = 0
    private var depth = 0

    /// Limit for programs, which are meant as small examples.
    private static let mostCharacters = 100_000
    private static let deepest = 200

    init(_ text: String) throws(Problem) {
        characters = Array(text)
        guard characters.count <= Self.mostCharacters else {
            throw Problem(.limit, "", "the program has more than \(Self.mostCharacters) characters")
        }
    }

    mutating func program() throws(Problem) -> [ScalarProgram.Statement] {
        var statements: [ScalarProgram.Statement] = []
        skipSeparators()
        while place < characters.count {
            statements.append(try statement())
            skipBlanks()
            guard place == characters.count || isSeparator(characters[place]) || characters[place] == "#" else {
                throw failure("unexpected \(characters[place])")
            }
            skipSeparators()
        }
        guard !statements.isEmpty else { throw failure("the program has no assignment. Example: c = a + b") }
        return statements
    }

    // MARK: Statements

    private mutating func statement() throws(Problem) -> ScalarProgram.Statement {
        let start = place
        guard let name = word() else { throw failure("expected a name, as in c = a + b") }
        skipBlanks()
        let sign: Character? = "+-*".contains(peek ?? " ") ? take() : nil
        guard peek == "=" else { throw failure("expected = after \(name)") }
        place += 1
        let right = try sum()
        guard let sign else { return .init(name: name, expression: right) }
        return .init(name: name, expression: .binary(sign, .name(name, place: start + 1), right))
    }

    private mutating func sum() throws(Problem) -> ScalarProgram.Expression {
        var left = try product()
        while true {
            skipBlanks()
            guard let sign = peek, sign == "+" || sign == "-" else { return left }
            place += 1
            left = .binary(sign, left, try product())
        }
    }

    private mutating func product() throws(Problem) -> ScalarProgram.Expression {
        var left = try signed()
        while true {
            skipBlanks()
            guard let sign = peek, sign == "*" || sign == "/" else { return left }
            place += 1
            left = .binary(sign, left, try signed())
        }
    }

    private mutating func signed() throws(Problem) -> ScalarProgram.Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw failure("parentheses and signs are nested too deeply") }
        skipBlanks()
        guard peek == "-" else { return try power() }
        place += 1
        return .negated(try signed())
    }

    private mutating func power() throws(Problem) -> ScalarProgram.Expression {
        let base = try operand()
        skipBlanks()
        guard peek == "^" else { return base }
        place += 1
        skipBlanks()
        let isNegative = peek == "-"
        if isNegative { place += 1 }
        guard let exponent = number() else { throw failure("the exponent must be a number") }
        return .power(base, isNegative ? -exponent : exponent)
    }

    private mutating func operand() throws(Problem) -> ScalarProgram.Expression {
        skipBlanks()
        let start = place
        if let value = number() { return .number(value) }
        if let name = word() {
            skipBlanks()
            guard peek == "(" else { return .name(name, place: start + 1) }
            guard ScalarProgram.functions[name] != nil else {
                let known = ScalarProgram.functions.keys.sorted().joined(separator: ", ")
                throw Problem(.unknown, "character \(start + 1)", "unknown function \(name). Available: \(known)")
            }
            return .call(name, try parenthesized())
        }
        guard peek == "(" else {
            throw failure(peek.map { "unexpected \($0)" } ?? "expected a number, found the end of the program")
        }
        return try parenthesized()
    }

    private mutating func parenthesized() throws(Problem) -> ScalarProgram.Expression {
        let start = place
        place += 1
        let inside = try sum()
        skipBlanks()
        guard peek == ")" else { throw Problem(.invalid, "character \(start + 1)", "unclosed parenthesis") }
        place += 1
        return inside
    }

    // MARK: Characters

    private var peek: Character? { place < characters.count ? characters[place] : nil }

    private mutating func take() -> Character? {
        defer { place += 1 }
        return peek
    }

    private func isSeparator(_ character: Character) -> Bool { character == ";" || character.isNewline }

    private mutating func skipBlanks() { while let next = peek, next == " " || next == "\t" { place += 1 } }

    private mutating func skipSeparators() {
        while let next = peek {
            if next == "#" {
                while let inside = peek, !inside.isNewline { _ = inside; place += 1 }
            } else if next == " " || next == "\t" || isSeparator(next) {
                place += 1
            } else {
                return
            }
        }
    }

    private mutating func word() -> String? {
        guard let first = peek, first.isLetter || first == "_" else { return nil }
        let start = place
        while let next = peek, next.isLetter || next.isNumber || next == "_" { place += 1 }
        return String(characters[start..<place])
    }

    private mutating func number() -> Double? {
        let start = place
        while let next = peek, next.isASCII, next.isNumber || next == "." { place += 1 }
        if place > start, peek == "e" || peek == "E" {
            let mark = place
            place += 1
            if peek == "-" || peek == "+" { place += 1 }
            let digits = place
            while let next = peek, next.isASCII, next.isNumber { place += 1 }
            if place == digits { place = mark }
        }
        guard let value = Double(String(characters[start..<place])), place > start else {
            place = start
            return nil
        }
        return value
    }

    private func failure(_ problem: String) -> Problem {
        Problem(.invalid, "character \(place + 1)", problem)
    }
}

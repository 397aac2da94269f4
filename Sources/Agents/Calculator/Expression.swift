internal import Glibc

/// Reads and computes an expression in one pass, by recursive descent.
///
/// ```
/// sum     = product { ("+" | "-") product }
/// product = signed { ("*" | "/" | "%") signed }
/// signed  = { "+" | "-" } power
/// power   = primary [ "^" signed ]
/// primary = number | "(" sum ")" | name "(" sum { "," sum } ")"
/// ```
/// Places in sentences count characters from 1.
struct Expression {
    static let maximumLength = 1000
    static let maximumDepth = 100

    let characters: [Character]
    var place = 0
    private var depth = 0

    /// The value of a text.
    static func value(of text: String) throws(ToolError) -> CalculatorValue {
        guard text.utf8.count <= 4 * maximumLength else {
            throw ToolError("the expression has more than \(maximumLength) characters; write a shorter one")
        }
        var expression = Expression(characters: Array(text))
        guard expression.characters.count <= maximumLength else {
            throw ToolError("the expression has more than \(maximumLength) characters; write a shorter one")
        }
        expression.skipSpace()
        if expression.isAtEnd { throw ToolError("the expression is empty") }
        let value = try expression.sum()
        if !expression.isAtEnd { throw expression.unexpected() }
        return value
    }

    private init(characters: [Character]) { self.characters = characters }

    var isAtEnd: Bool { place >= characters.count }

    private var next: Character? { isAtEnd ? nil : characters[place] }

    private mutating func skipSpace() {
        while !isAtEnd, characters[place].isWhitespace { place += 1 }
    }

    /// Takes a character and the following space; returns the character's position.
    private mutating func take(_ wanted: Character...) -> (operation: Character, place: Int)? {
        guard let next, wanted.contains(next) else { return nil }
        defer {
            place += 1
            skipSpace()
        }
        return (next, place + 1)
    }

    private mutating func sum() throws(ToolError) -> CalculatorValue {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw ToolError("parentheses are nested deeper than \(Self.maximumDepth) at character \(place)")
        }
        var value = try product()
        while let (operation, place) = take("+", "-", "−") {
            let right = try product()
            value = try Self.known(operation == "+" ? value.plus(right) : value.minus(right), at: place)
        }
        return value
    }

    private mutating func product() throws(ToolError) -> CalculatorValue {
        var value = try signed()
        while let (operation, place) = take("*", "/", "%", "×", "·", "÷") {
            let right = try signed()
            switch operation {
            case "*", "×", "·": value = try Self.known(value.times(right), at: place)
            default:
                guard !right.isZero else { throw ToolError("division by zero at character \(place)") }
                value = try Self.known(
                    operation == "%" ? value.remainder(by: right) : value.divided(by: right), at: place)
            }
        }
        return value
    }

    private mutating func signed() throws(ToolError) -> CalculatorValue {
        var isNegative = false
        var first: Int?
        while let (sign, place) = take("-", "+", "−") {
            if sign != "+" { isNegative.toggle() }
            first = first ?? place
        }
        let value = try power()
        return isNegative ? try Self.known(value.negated, at: first ?? place) : value
    }

    private mutating func power() throws(ToolError) -> CalculatorValue {
        let base = try primary()
        guard let (_, place) = take("^") else { return base }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw ToolError("powers are nested deeper than \(Self.maximumDepth) at character \(place)")
        }
        let exponent = try signed()
        do throws(CalculatorValue.PowerProblem) {
            return try base.power(exponent)
        } catch {
            switch error {
            case .zeroToNegative: throw ToolError("division by zero at character \(place)")
            case .negativeToFraction:
                throw ToolError("a negative base needs an integer exponent, at character \(place)")
            case .tooLarge: throw Self.tooLarge(at: place)
            }
        }
    }

    private mutating func primary() throws(ToolError) -> CalculatorValue {
        guard let next else { throw endsEarly() }
        if let (_, open) = take("(") {
            let value = try sum()
            try close(open)
            return value
        }
        if next.isASCII, next.isNumber || next == "." { return try number() }
        guard next.isLetter else { throw unexpected() }
        let start = place
        let name = word()
        let after = place
        skipSpace()
        guard let function = CalculatorFunction(name) else {
            if self.next == "(" {
                throw ToolError(
                    "unknown function \"\(name)\" at character \(start + 1); functions: \(CalculatorFunction.list)")
            }
            place = start
            throw unexpected()
        }
        guard let (_, open) = take("(") else {
            throw ToolError("\(name) needs its argument in parentheses at character \(after + 1)")
        }
        var arguments: [CalculatorValue] = []
        if self.next != ")" {
            repeat { arguments.append(try sum()) } while take(",") != nil
        }
        try close(open)
        return try function.value(of: arguments, at: start + 1)
    }

    private mutating func close(_ open: Int) throws(ToolError) {
        if take(")") != nil { return }
        if isAtEnd { throw ToolError("the parenthesis at character \(open) is not closed") }
        throw unexpected()
    }

    private mutating func word() -> String {
        let start = place
        while !isAtEnd, characters[place].isLetter || characters[place].isNumber || characters[place] == "_" {
            place += 1
        }
        return String(characters[start..<max(place, start + 1)])
    }

    /// Returns an error for unexpected text at the current place: a whole word or number, or else one character.
    private func unexpected() -> ToolError {
        guard !isAtEnd else { return endsEarly() }
        var copy = self
        var text = copy.word()
        if text.count > 20 { text = text.prefix(20) + "..." }
        return ToolError("unexpected \"\(text)\" at character \(place + 1)")
    }

    private func endsEarly() -> ToolError {
        let end = (characters.lastIndex { !$0.isWhitespace } ?? -1) + 2
        return ToolError("the expression ends at character \(end) where a number is expected")
    }

    static func known(_ value: CalculatorValue?, at place: Int) throws(ToolError) -> CalculatorValue {
        if let value { return value }
        throw tooLarge(at: place)
    }

    static func tooLarge(at place: Int) -> ToolError {
        ToolError("the result is too large at character \(place); integers are exact up to \(Int64.max)")
    }
}

extension Expression {
    /// `12`, `3.5`, `.5`, `1e3`: exact with up to 18 digits after the point.
    private mutating func number() throws(ToolError) -> CalculatorValue {
        let start = place
        var mantissa: Int128 = 0
        var scale = 0
        var digits = 0
        var isBehindPoint = false
        while !isAtEnd {
            let character = characters[place]
            if character == ".", !isBehindPoint {
                isBehindPoint = true
            } else if character.isASCII, let digit = character.wholeNumberValue {
                digits += 1
                if !isBehindPoint || scale < 18 {
                    mantissa = mantissa * 10 + Int128(digit)
                    if isBehindPoint { scale += 1 }
                }
                if mantissa > 1 << 123 { throw Self.tooLarge(at: start + 1) }
            } else {
                break
            }
            place += 1
        }
        guard digits > 0 else {
            place = start
            throw unexpected()
        }
        scale -= exponent()
        skipSpace()
        if mantissa == 0 { return .zero }
        guard scale >= -18 else { throw Self.tooLarge(at: start + 1) }
        if scale > 36 {
            return try Self.known(.double(Double(mantissa) / pow(10, Double(scale))), at: start + 1)
        }
        var bottom: Int128 = 1
        for _ in 0..<max(0, scale) { bottom *= 10 }
        for _ in 0..<max(0, -scale) {
            let (larger, overflows) = mantissa.multipliedReportingOverflow(by: 10)
            if overflows { throw Self.tooLarge(at: start + 1) }
            mantissa = larger
        }
        return try Self.known(.fraction(mantissa, over: bottom), at: start + 1)
    }

    /// Returns the exponent after a number; 0 if there is none.
    private mutating func exponent() -> Int {
        guard !isAtEnd, characters[place] == "e" || characters[place] == "E" else { return 0 }
        var cursor = place + 1
        var isNegative = false
        if cursor < characters.count, characters[cursor] == "-" || characters[cursor] == "+" {
            isNegative = characters[cursor] == "-"
            cursor += 1
        }
        var value = 0
        var digits = 0
        while cursor < characters.count, characters[cursor].isASCII, let digit = characters[cursor].wholeNumberValue {
            value = min(value * 10 + digit, 10_000)
            digits += 1
            cursor += 1
        }
        guard digits > 0 else { return 0 }
        place = cursor
        return isNegative ? -value : value
    }
}

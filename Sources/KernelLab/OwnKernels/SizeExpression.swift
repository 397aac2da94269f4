public import System

/// A formula over the sizes of a kernel: `2 * m * n * k`.
///
/// Numbers, names, `+ - * / ^` and parentheses, with the usual precedence; `^` binds to the right. Values are doubles.
public struct SizeExpression: Hashable, Sendable {
    /// As it was written.
    public let text: String
    private let steps: [Step]

    private enum Step: Hashable, Sendable {
        case number(Double)
        case size(String)
        case apply(Character)
    }

    /// Reads a formula by operator precedence (Dijkstra's shunting yard): no recursion, whatever the text.
    public init(_ text: String) throws(Problem) {
        self.text = text
        var output: [Step] = []
        var waiting: [Character] = []
        var expectsValue = true
        var rest = Substring(text)
        func reduce(_ sign: Character) { output.append(.apply(sign)) }
        while let character = rest.first {
            if character.isWhitespace {
                rest.removeFirst()
            } else if expectsValue, character.isNumber || character == "." {
                let digits = rest.prefix { $0.isNumber || ".eE_".contains($0) }
                guard let value = Double(digits.filter { $0 != "_" }), value.isFinite else {
                    throw Problem(.invalid, "", "invalid number \(digits) in the formula \(text)")
                }
                output.append(.number(value))
                rest.removeFirst(digits.count)
                expectsValue = false
            } else if expectsValue, character.isLetter || character == "_" {
                let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                output.append(.size(String(name)))
                rest.removeFirst(name.count)
                expectsValue = false
            } else if expectsValue, character == "(" {
                waiting.append(character)
                rest.removeFirst()
            } else if !expectsValue, character == ")" {
                guard waiting.contains("(") else {
                    throw Problem(.invalid, "", "unmatched \")\" in the formula \(text)")
                }
                while let top = waiting.popLast(), top != "(" { reduce(top) }
                rest.removeFirst()
            } else if !expectsValue, let precedence = Self.precedence[character] {
                while let top = waiting.last, let other = Self.precedence[top],
                    other > precedence || (other == precedence && character != "^")
                {
                    reduce(top)
                    waiting.removeLast()
                }
                waiting.append(character)
                rest.removeFirst()
                expectsValue = true
            } else {
                throw Problem(.invalid, "", "unexpected \(character) in the formula \(text)")
            }
            guard output.count + waiting.count <= 256 else {
                throw Problem(.invalid, "", "a formula can have at most 256 terms")
            }
        }
        guard !expectsValue else {
            throw Problem(.invalid, "", "the formula \(text.isEmpty ? "is empty" : text + " is incomplete")")
        }
        while let top = waiting.popLast() {
            guard top != "(" else { throw Problem(.invalid, "", "unmatched \"(\" in the formula \(text)") }
            reduce(top)
        }
        steps = output
    }

    private static let precedence: [Character: Int] = ["+": 1, "-": 1, "*": 2, "/": 2, "^": 3]

    /// The names that it speaks of.
    public var names: Set<String> {
        Set(steps.compactMap { if case .size(let name) = $0 { name } else { nil } })
    }

    /// Its value; a size that is not given counts as 0.
    public func value(_ sizes: [String: Int]) -> Double {
        var stack: [Double] = []
        for step in steps {
            switch step {
            case .number(let value): stack.append(value)
            case .size(let name): stack.append(Double(sizes[name] ?? 0))
            case .apply(let sign):
                let right = stack.popLast() ?? 0
                let left = stack.popLast() ?? 0
                stack.append(Self.apply(sign, left, right))
            }
        }
        return stack.last ?? 0
    }

    private static func apply(_ sign: Character, _ left: Double, _ right: Double) -> Double {
        switch sign {
        case "+": left + right
        case "-": left - right
        case "*": left * right
        case "/": left / right
        default: power(left, right)
        }
    }

    /// Whole exponents only: sizes have no others.
    private static func power(_ base: Double, _ exponent: Double) -> Double {
        guard exponent == exponent.rounded(), exponent >= 0, exponent <= 64 else { return .nan }
        return (0..<Int(exponent)).reduce(1) { value, _ in value * base }
    }
}

/// What a regular expression is made of.
indirect enum ExpressionNode {
    case empty
    case scalar(ExpressionSet)
    case sequence([ExpressionNode])
    case choice([ExpressionNode])
    /// - number: Group number, from 1; `nil` for a non-capturing group.
    case group(ExpressionNode, number: Int?)
    case repetition(ExpressionNode, least: Int, most: Int?, isLazy: Bool)
    /// What matched first is kept: nothing goes back into it.
    case atomic(ExpressionNode)
    case position(ExpressionPosition)
    case reference(Int, ignoresCase: Bool)
    case look(ExpressionNode, isAhead: Bool, isNegated: Bool)

    /// Number of code points of a match; `nil` if it varies.
    var width: Int? {
        switch self {
        case .empty, .position, .look: return 0
        case .scalar: return 1
        case .sequence(let nodes):
            var sum = 0
            for node in nodes {
                guard let width = node.width else { return nil }
                sum += width
            }
            return sum
        case .choice(let nodes):
            guard let first = nodes.first?.width, nodes.allSatisfy({ $0.width == first }) else { return nil }
            return first
        case .group(let node, _), .atomic(let node): return node.width
        case .repetition(let node, let least, let most, _):
            guard least == most, let width = node.width else { return nil }
            return width.multipliedReportingOverflow(by: least).overflow ? nil : width * least
        case .reference: return nil
        }
    }
}

/// A place between code points.
enum ExpressionPosition {
    case start, lineStart, end, lastLineEnd, lineEnd, boundary, noBoundary
}

/// Which code points are meant.
struct ExpressionSet {
    /// A class with a name.
    enum Class { case digit, word, space }

    var ranges: [ClosedRange<UInt32>] = []
    var classes: [(kind: Class, isNegated: Bool)] = []
    var isNegated = false
    var ignoresCase = false

    static func one(_ scalar: Unicode.Scalar, ignoresCase: Bool) -> ExpressionSet {
        ExpressionSet(ranges: [scalar.value...scalar.value], ignoresCase: ignoresCase)
    }

    /// Every one, but a new line where `lines` says so.
    static func any(lines: Bool) -> ExpressionSet {
        lines ? ExpressionSet(isNegated: true) : ExpressionSet(ranges: [10...10], isNegated: true)
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        var found = holds(scalar)
        if !found, ignoresCase {
            found = Self.lower(scalar).map { holds($0) } ?? false || Self.upper(scalar).map { holds($0) } ?? false
        }
        return found != isNegated
    }

    private func holds(_ scalar: Unicode.Scalar) -> Bool {
        for range in ranges where range.contains(scalar.value) { return true }
        for one in classes where Self.isOf(one.kind, scalar) != one.isNegated { return true }
        return false
    }

    static func isOf(_ kind: Class, _ scalar: Unicode.Scalar) -> Bool {
        switch kind {
        case .digit:
            ("0"..."9").contains(scalar) || (!scalar.isASCII && scalar.properties.generalCategory == .decimalNumber)
        case .space: PythonLiteral.isSpace(scalar)
        case .word: isWord(scalar)
        }
    }

    /// What Python's `\w` takes: letters, numbers and the underscore.
    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || scalar == "_"
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }

    static func lower(_ scalar: Unicode.Scalar) -> Unicode.Scalar? { alone(scalar.properties.lowercaseMapping) }
    static func upper(_ scalar: Unicode.Scalar) -> Unicode.Scalar? { alone(scalar.properties.uppercaseMapping) }

    private static func alone(_ text: String) -> Unicode.Scalar? {
        text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
    }
}

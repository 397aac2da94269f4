/// Reads regular expressions as Python's `re` writes them. What it does not know makes the whole no expression.
struct ExpressionParser {
    private struct Flags {
        var ignoresCase: Bool
        var dotTakesLines = false
        var isMultiline = false
    }

    /// What is wrong needs no more words: the expression is shown with it.
    struct Unknown: Error {}

    private let scalars: [Unicode.Scalar]
    private var place = 0
    private var flags: Flags
    private(set) var groups = 0
    private var names: [String: Int] = [:]
    private var depth = 0

    init(_ source: String, ignoresCase: Bool) {
        scalars = Array(source.unicodeScalars)
        flags = Flags(ignoresCase: ignoresCase)
    }

    mutating func parse() throws(Unknown) -> ExpressionNode {
        let node = try choice()
        guard place == scalars.count else { throw Unknown() }
        return node
    }

    private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private mutating func take() throws(Unknown) -> Unicode.Scalar {
        guard let scalar = next else { throw Unknown() }
        place += 1
        return scalar
    }

    private mutating func takes(_ text: String) -> Bool {
        let wanted = text.unicodeScalars
        guard scalars[place...].starts(with: wanted) else { return false }
        place += wanted.count
        return true
    }

    private mutating func choice() throws(Unknown) -> ExpressionNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 100 else { throw Unknown() }
        let outside = flags
        defer { flags = outside }
        var branches = [try sequence()]
        while takes("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(Unknown) -> ExpressionNode {
        var nodes: [ExpressionNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            guard let node = try atom() else { continue }
            nodes.append(try repeated(node))
        }
        return nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .empty : .sequence(nodes)
    }

    private mutating func repeated(_ node: ExpressionNode) throws(Unknown) -> ExpressionNode {
        let least: Int
        let most: Int?
        switch next {
        case "*": (least, most) = (0, nil)
        case "+": (least, most) = (1, nil)
        case "?": (least, most) = (0, 1)
        case "{":
            // Braces that count nothing are what they are.
            guard let counted = counts() else { return node }
            (least, most) = counted
            place -= 1
        default: return node
        }
        place += 1
        if let most, most < least { throw Unknown() }
        var result = ExpressionNode.repetition(node, least: least, most: most, isLazy: takes("?"))
        if takes("+") { result = .atomic(result) }
        if let scalar = next, scalar == "*" || scalar == "+" || scalar == "?" { throw Unknown() }
        return result
    }

    /// `{2}`, `{2,}`, `{,3}`, `{2,3}`.
    private mutating func counts() -> (Int, Int?)? {
        let start = place
        place += 1
        let low = number()
        var most = low
        var isRange = false
        if takes(",") {
            isRange = true
            most = number()
        }
        guard takes("}"), low != nil || isRange else {
            place = start
            return nil
        }
        return (low ?? 0, most)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let scalar = next, ("0"..."9").contains(scalar) {
            value = min(1_000_000, (value ?? 0) * 10 + Int(scalar.value - 48))
            place += 1
        }
        return value
    }

    private mutating func atom() throws(Unknown) -> ExpressionNode? {
        let scalar = try take()
        switch scalar {
        case "(": return try group()
        case "[": return .scalar(try set())
        case ".": return .scalar(.any(lines: flags.dotTakesLines))
        case "^": return .position(flags.isMultiline ? .lineStart : .start)
        case "$": return .position(flags.isMultiline ? .lineEnd : .lastLineEnd)
        case "*", "+", "?": throw Unknown()
        case "{":
            place -= 1
            if counts() != nil { throw Unknown() }
            place += 1
            return literal(scalar)
        case "\\": return try escaped()
        default: return literal(scalar)
        }
    }

    private func literal(_ scalar: Unicode.Scalar) -> ExpressionNode {
        .scalar(.one(scalar, ignoresCase: flags.ignoresCase))
    }

    private mutating func group() throws(Unknown) -> ExpressionNode? {
        func closed(_ node: ExpressionNode, _ parser: inout ExpressionParser) throws(Unknown) -> ExpressionNode {
            guard parser.takes(")") else { throw Unknown() }
            return node
        }
        guard takes("?") else { return try captured(name: nil) }
        if takes(":") { return try closed(.group(try choice(), number: nil), &self) }
        if takes(">") { return try closed(.atomic(try choice()), &self) }
        if takes("=") { return try closed(.look(try choice(), isAhead: true, isNegated: false), &self) }
        if takes("!") { return try closed(.look(try choice(), isAhead: true, isNegated: true), &self) }
        if takes("<=") { return try closed(.look(try choice(), isAhead: false, isNegated: false), &self) }
        if takes("<!") { return try closed(.look(try choice(), isAhead: false, isNegated: true), &self) }
        if takes("P=") {
            guard let number = names[try name(until: ")")] else { throw Unknown() }
            return .reference(number, ignoresCase: flags.ignoresCase)
        }
        if takes("P<") || takes("<") { return try captured(name: try name(until: ">")) }
        if takes("#") {
            while try take() != ")" {}
            return nil
        }
        var changed = flags
        while let scalar = next, scalar != ")", scalar != ":" {
            switch scalar {
            case "i": changed.ignoresCase = true
            case "s": changed.dotTakesLines = true
            case "m": changed.isMultiline = true
            case "u": break
            default: throw Unknown()
            }
            place += 1
        }
        if takes(")") {
            flags = changed
            return nil
        }
        guard takes(":") else { throw Unknown() }
        let outside = flags
        flags = changed
        let node = try choice()
        flags = outside
        return try closed(.group(node, number: nil), &self)
    }

    private mutating func captured(name: String?) throws(Unknown) -> ExpressionNode {
        groups += 1
        let number = groups
        if let name {
            guard names.updateValue(number, forKey: name) == nil else { throw Unknown() }
        }
        let node = try choice()
        guard takes(")") else { throw Unknown() }
        return .group(node, number: number)
    }

    private mutating func name(until end: Unicode.Scalar) throws(Unknown) -> String {
        var name = ""
        while true {
            let scalar = try take()
            if scalar == end { break }
            guard ExpressionSet.isWord(scalar) else { throw Unknown() }
            name.unicodeScalars.append(scalar)
        }
        guard let first = name.unicodeScalars.first, !("0"..."9").contains(first) else { throw Unknown() }
        return name
    }

    private mutating func escaped() throws(Unknown) -> ExpressionNode {
        guard let scalar = next else { throw Unknown() }
        switch scalar {
        case "A": place += 1; return .position(.start)
        case "Z", "z": place += 1; return .position(.end)
        case "b": place += 1; return .position(.boundary)
        case "B": place += 1; return .position(.noBoundary)
        case "1"..."9":
            let number = number() ?? 0
            guard number <= groups else { throw Unknown() }
            return .reference(number, ignoresCase: flags.ignoresCase)
        default: break
        }
        var set = try member()
        set.ignoresCase = flags.ignoresCase
        return .scalar(set)
    }

    /// What stands behind a backslash, in a set too.
    private mutating func member() throws(Unknown) -> ExpressionSet {
        let scalar = try take()
        switch scalar {
        case "d": return ExpressionSet(classes: [(.digit, false)])
        case "D": return ExpressionSet(classes: [(.digit, true)])
        case "w": return ExpressionSet(classes: [(.word, false)])
        case "W": return ExpressionSet(classes: [(.word, true)])
        case "s": return ExpressionSet(classes: [(.space, false)])
        case "S": return ExpressionSet(classes: [(.space, true)])
        case "n": return one(10)
        case "t": return one(9)
        case "r": return one(13)
        case "f": return one(12)
        case "v": return one(11)
        case "a": return one(7)
        case "0": return one(0)
        case "x": return one(try hexadecimal(2))
        case "u": return one(try hexadecimal(4))
        case "U": return one(try hexadecimal(8))
        default:
            // Letters without a meaning are mistakes; marks stand for themselves.
            let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
            guard !isLetter else { throw Unknown() }
            return one(scalar.value)
        }
    }

    private func one(_ value: UInt32) -> ExpressionSet { ExpressionSet(ranges: [value...value]) }

    /// Parses a fixed number of digits, or any number of digits in braces.
    private mutating func hexadecimal(_ count: Int) throws(Unknown) -> UInt32 {
        var digits = ""
        if takes("{") {
            while true {
                let scalar = try take()
                if scalar == "}" { break }
                digits.unicodeScalars.append(scalar)
                guard digits.utf8.count <= 8 else { throw Unknown() }
            }
        } else {
            for _ in 0..<count { digits.unicodeScalars.append(try take()) }
        }
        guard let value = UInt32(digits, radix: 16), Unicode.Scalar(value) != nil else { throw Unknown() }
        return value
    }

    private mutating func set() throws(Unknown) -> ExpressionSet {
        var set = ExpressionSet(ignoresCase: flags.ignoresCase)
        set.isNegated = takes("^")
        var isFirst = true
        while true {
            guard let scalar = next else { throw Unknown() }
            if scalar == "]", !isFirst {
                place += 1
                return set
            }
            isFirst = false
            let low = try element()
            guard next == "-", place + 1 < scalars.count, scalars[place + 1] != "]" else {
                set.ranges += low.ranges
                set.classes += low.classes
                continue
            }
            place += 1
            let high = try element()
            guard let first = low.ranges.first?.lowerBound, let last = high.ranges.first?.lowerBound, first <= last
            else { throw Unknown() }
            set.ranges.append(first...last)
        }
    }

    private mutating func element() throws(Unknown) -> ExpressionSet {
        let scalar = try take()
        guard scalar == "\\" else { return one(scalar.value) }
        if takes("b") { return one(8) }
        return try member()
    }
}

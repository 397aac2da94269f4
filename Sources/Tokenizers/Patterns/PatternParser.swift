/// Reads the subset of regular expressions that tokenizers are written in, with Oniguruma's meaning where engines
/// differ: `^` and `$` are ends of lines, `.` stops at line feeds, `{1,3}+` repeats what `{1,3}` matches.
struct PatternParser {
    private struct Flags {
        var ignoresCase = false
        var dotMatchesLineFeed = false
        var isExtended = false
    }

    private let scalars: [UInt32]
    private var index = 0
    private var flags = Flags()
    private var depth = 0

    init(_ text: String) { scalars = text.unicodeScalars.map(\.value) }

    static func parse(_ text: String) throws(TokenizerError) -> PatternNode {
        guard text.utf8.count <= 1 << 16 else {
            throw TokenizerError("pattern", problem: "the pattern exceeds 65,536 bytes")
        }
        var parser = PatternParser(text)
        let node = try parser.alternatives()
        if let rest = parser.peek { throw parser.error("unexpected \(Self.written(rest))") }
        return node
    }

    private var peek: UInt32? { index < scalars.count ? scalars[index] : nil }

    private func error(_ problem: String) -> TokenizerError {
        TokenizerError("pattern, character \(index)", problem: problem)
    }

    private static func written(_ value: UInt32) -> String {
        Unicode.Scalar(value).map { "'\(String($0))'" } ?? "a character"
    }

    private mutating func take(_ text: String) -> Bool {
        let wanted = text.unicodeScalars.map(\.value)
        guard index + wanted.count <= scalars.count, scalars[index..<index + wanted.count].elementsEqual(wanted) else {
            return false
        }
        index += wanted.count
        return true
    }

    private mutating func alternatives() throws(TokenizerError) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 32 else { throw error("groups are nested deeper than 32") }
        let outer = flags
        defer { flags = outer }
        var choices: [PatternNode] = []
        var sequence: [PatternNode] = []
        while let next = peek, next != 0x29 {
            if take("|") {
                choices.append(.sequence(sequence))
                sequence = []
            } else if let node = try quantified() {
                sequence.append(node)
            }
        }
        choices.append(.sequence(sequence))
        return choices.count == 1 ? choices[0] : .alternatives(choices)
    }

    private mutating func quantified() throws(TokenizerError) -> PatternNode? {
        guard var node = try atom() else { return nil }
        while let (least, most, isCounted) = try quantifier() {
            // After a count, a plus is one more repetition, not a possessive one.
            let greed: PatternNode.Greed = take("?") ? .lazy : !isCounted && take("+") ? .possessive : .greedy
            if most == nil, node.mayBeEmpty { throw error("unlimited repetition of an element that can be empty") }
            node = .repeated(node, least: least, most: most, greed)
        }
        return node
    }

    private mutating func quantifier() throws(TokenizerError) -> (Int, Int?, isCounted: Bool)? {
        if take("*") { return (0, nil, false) }
        if take("+") { return (1, nil, false) }
        if take("?") { return (0, 1, false) }
        let before = index
        guard take("{") else { return nil }
        let least = number()
        var most = least
        if take(",") { most = number() }
        guard take("}"), least != nil || most != nil else {
            index = before
            return nil
        }
        let low = least ?? 0
        if low > 1000 || (most ?? 0) > 1000 { throw error("a repetition exceeds 1,000") }
        if let most, most < low { throw error("the bounds of a repetition are reversed") }
        return (low, most, true)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = peek, (0x30...0x39).contains(digit) {
            value = min((value ?? 0) * 10 + Int(digit - 0x30), 1 << 20)
            index += 1
        }
        return value
    }

    private mutating func atom() throws(TokenizerError) -> PatternNode? {
        guard let next = peek else { return .empty }
        if take("(") { return try group() }
        if take("[") { return .set(try characterClass()) }
        if take(".") { return .set(ScalarSet(flags.dotMatchesLineFeed ? [] : [10...10]).negated) }
        if take("^") { return .anchor(.lineStart) }
        if take("$") { return .anchor(.lineEnd) }
        if take("\\") { return try escape() }
        if next == 0x2A || next == 0x2B || next == 0x3F { throw error("\(Self.written(next)) has nothing to repeat") }
        index += 1
        if flags.isExtended, next == 0x20 || (9...13).contains(next) { return nil }
        return .set(literal(next))
    }

    private func literal(_ value: UInt32) -> ScalarSet {
        var set = ScalarSet()
        set.insert(value...value)
        if flags.ignoresCase { set.ignoreCase() }
        set.finish()
        return set
    }

    private mutating func group() throws(TokenizerError) -> PatternNode? {
        var wrap: (PatternNode) -> PatternNode = { $0 }
        if take("?") {
            if take(":") {
            } else if take(">") {
                wrap = { .atomic($0) }
            } else if take("=") {
                wrap = { .look($0, isAhead: true, isNegative: false) }
            } else if take("!") {
                wrap = { .look($0, isAhead: true, isNegative: true) }
            } else if take("<=") {
                wrap = { .look($0, isAhead: false, isNegative: false) }
            } else if take("<!") {
                wrap = { .look($0, isAhead: false, isNegative: true) }
            } else if take("<") || take("P<") {
                while let next = peek, next != 0x3E { index += 1 }
                guard take(">") else { throw error("unclosed group name") }
            } else {
                let outer = flags
                try readFlags()
                if take(")") { return nil }
                guard take(":") else { throw error("unsupported group type") }
                let node = try alternatives()
                flags = outer
                guard take(")") else { throw error("unclosed group") }
                return node
            }
        }
        let node = try alternatives()
        guard take(")") else { throw error("unclosed group") }
        let wrapped = wrap(node)
        if case .look(let inner, false, _) = wrapped, inner.singleSet == nil {
            throw error("lookbehind must match exactly one character")
        }
        return wrapped
    }

    private mutating func readFlags() throws(TokenizerError) {
        var value = true
        while let next = peek, next != 0x3A, next != 0x29 {
            index += 1
            switch next {
            case 0x2D: value = false
            case 0x69: flags.ignoresCase = value
            case 0x73, 0x6D: flags.dotMatchesLineFeed = value
            case 0x78: flags.isExtended = value
            case 0x75: break
            default: throw error("unknown flag \(Self.written(next))")
            }
        }
    }

    private mutating func escape() throws(TokenizerError) -> PatternNode {
        guard let next = peek else { throw error("unexpected backslash at the end") }
        switch next {
        case UInt32(UInt8(ascii: "A")): return anchor(.textStart)
        case UInt32(UInt8(ascii: "z")), UInt32(UInt8(ascii: "Z")): return anchor(.textEnd)
        case UInt32(UInt8(ascii: "b")): return anchor(.wordBoundary)
        case UInt32(UInt8(ascii: "B")): return anchor(.noWordBoundary)
        default: break
        }
        if let set = try escapedSet() { return .set(set) }
        return .set(literal(try escapedScalar()))
    }

    private mutating func anchor(_ anchor: PatternNode.Anchor) -> PatternNode {
        index += 1
        return .anchor(anchor)
    }

    /// Parses `\s`, `\p{L}`, and the like after the backslash; returns `nil` if a character is escaped.
    private mutating func escapedSet() throws(TokenizerError) -> ScalarSet? {
        guard let next = peek, next < 0x80 else { return nil }
        var set: ScalarSet
        switch UInt8(next) | 0x20 {
        case UInt8(ascii: "s"): set = .spaces
        case UInt8(ascii: "d"): set = .categories(GeneralCategories.decimals)
        case UInt8(ascii: "w"): set = .words
        case UInt8(ascii: "h"): set = ScalarSet([0x30...0x39, 0x41...0x46, 0x61...0x66])
        case UInt8(ascii: "p"):
            index += 1
            set = try property()
            return next < 0x60 ? set.negated : set
        default: return nil
        }
        index += 1
        return next < 0x60 ? set.negated : set
    }

    private mutating func property() throws(TokenizerError) -> ScalarSet {
        var name = ""
        if take("{") {
            while let next = peek, next != 0x7D {
                if let scalar = Unicode.Scalar(next) { name.unicodeScalars.append(scalar) }
                index += 1
            }
            guard take("}") else { throw error("unclosed property name") }
        } else if let next = peek, let scalar = Unicode.Scalar(next) {
            name = String(scalar)
            index += 1
        }
        let isNegated = name.hasPrefix("^")
        if isNegated { name.removeFirst() }
        guard let set = GeneralCategories.set(named: name).map(ScalarSet.categories) ?? ScalarSet.script(name) else {
            throw error("unknown property \(name.prefix(40))")
        }
        return isNegated ? set.negated : set
    }

    private mutating func escapedScalar() throws(TokenizerError) -> UInt32 {
        guard let next = peek else { throw error("unexpected backslash at the end") }
        index += 1
        guard next < 0x80 else { return next }
        switch UInt8(next) {
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "v"): return 11
        case UInt8(ascii: "a"): return 7
        case UInt8(ascii: "e"): return 27
        case UInt8(ascii: "0"): return 0
        case UInt8(ascii: "x"): return try hexadecimal(digits: 2)
        case UInt8(ascii: "u"): return try hexadecimal(digits: 4)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            throw error("unknown escape \(Self.written(next))")
        default: return next
        }
    }

    private mutating func hexadecimal(digits: Int) throws(TokenizerError) -> UInt32 {
        let isBraced = take("{")
        var value: UInt32 = 0
        var count = 0
        while count < (isBraced ? 6 : digits), let next = peek, let scalar = Unicode.Scalar(next),
            let digit = Character(scalar).hexDigitValue
        {
            value = value << 4 | UInt32(digit)
            index += 1
            count += 1
        }
        guard count > 0, Unicode.Scalar(value) != nil, !isBraced || take("}") else {
            throw error("invalid code point")
        }
        return value
    }

    private mutating func characterClass() throws(TokenizerError) -> ScalarSet {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 32 else { throw error("character classes are nested deeper than 32") }
        var set = ScalarSet()
        let isNegated = take("^")
        var isFirst = true
        while true {
            guard let next = peek else { throw error("unclosed character class") }
            if next == 0x5D, !isFirst {
                index += 1
                break
            }
            isFirst = false
            if take("&&") {
                // The rest of the class, its bracket included, is the other operand.
                set.intersect(try characterClass())
                break
            }
            if take("[:") {
                set.insert(try posixClass())
            } else if take("[") {
                set.insert(try characterClass())
            } else {
                try classItem(&set)
            }
        }
        if flags.ignoresCase { set.ignoreCase() }
        set.isNegated = isNegated
        set.finish()
        return set
    }

    private mutating func classItem(_ set: inout ScalarSet) throws(TokenizerError) {
        let first: UInt32
        if take("\\") {
            if let escaped = try escapedSet() { return set.insert(escaped) }
            first = try escapedScalar()
        } else {
            first = scalars[index]
            index += 1
        }
        guard index + 1 < scalars.count, scalars[index] == 0x2D, scalars[index + 1] != 0x5D else {
            return set.insert(first...first)
        }
        let dash = index
        index += 1
        var last = scalars[index]
        if take("\\") {
            if try escapedSet() != nil {
                // `[a-\d]`: the dash is a dash.
                index = dash
                return set.insert(first...first)
            }
            last = try escapedScalar()
        } else {
            index += 1
        }
        guard first <= last else { throw error("the bounds of a range are reversed") }
        set.insert(first...last)
    }

    private mutating func posixClass() throws(TokenizerError) -> ScalarSet {
        let isNegated = take("^")
        let names: [(String, ScalarSet)] = [
            ("alpha:]", .categories(GeneralCategories.letters)),
            ("digit:]", .categories(GeneralCategories.decimals)),
            ("alnum:]", .categories(GeneralCategories.letters | GeneralCategories.numbers)),
            ("upper:]", .categories(GeneralCategories.uppercase)),
            ("lower:]", .categories(GeneralCategories.lowercase)),
            ("punct:]", .categories(GeneralCategories.punctuation)),
            ("space:]", .spaces), ("word:]", .words),
        ]
        for (name, set) in names where take(name) { return isNegated ? set.negated : set }
        throw error("unknown named class")
    }
}

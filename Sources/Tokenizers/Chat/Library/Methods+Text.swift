internal import LanguageModels

extension Jinja {
    private static func receiver(_ value: Value) -> Text { value.text ?? Text() }

    /// A method without arguments that gives a text.
    private static func plain(_ name: String, _ body: @escaping @Sendable (Text) -> Text) -> Method {
        { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none(name)
            return try evaluator.made(body(receiver(value)))
        }
    }

    private static func stripping(_ name: String, _ side: Text.Side) -> Method {
        { value, arguments, evaluator throws(ChatTemplateError) in
            let characters = try arguments.bind(name, ["chars"])[0].flatMap { $0.isNone ? nil : $0 }
            return try evaluator.made(receiver(value).stripped(side, try characters?.text("`chars`")))
        }
    }

    /// Methods that give a changed text.
    static let textMethods: [String: Method] = [
        "upper": plain("upper") { $0.uppercased },
        "lower": plain("lower") { $0.lowercased },
        "casefold": plain("casefold") { $0.lowercased },
        "swapcase": plain("swapcase") { $0.swappedCase },
        "title": plain("title") { $0.titlecased },
        "capitalize": plain("capitalize") { $0.capitalized },
        "strip": stripping("strip", .both),
        "lstrip": stripping("lstrip", .start),
        "rstrip": stripping("rstrip", .end),
        "replace": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("replace", ["old", "new", "count"], required: 2)
            return try evaluator.replace(
                receiver(value), try parts[0]!.text("the text to replace"), try parts[1]!.text("the replacement"),
                limit: try Value.count(parts[2], "the count"))
        },
        "removeprefix": { value, arguments, evaluator throws(ChatTemplateError) in
            let text = receiver(value)
            let prefix = try arguments.bind("removeprefix", ["prefix"], required: 1)[0]!.text("the prefix")
            return try evaluator.made(
                text.bytes.starts(with: prefix.bytes) ? text.slice(prefix.count..<text.count) : text)
        },
        "removesuffix": { value, arguments, evaluator throws(ChatTemplateError) in
            let text = receiver(value)
            let suffix = try arguments.bind("removesuffix", ["suffix"], required: 1)[0]!.text("the suffix")
            return try evaluator.made(text.ends(with: suffix) ? text.slice(0..<(text.count - suffix.count)) : text)
        },
        "join": { value, arguments, evaluator throws(ChatTemplateError) in
            var parts: [Text] = []
            for part in try evaluator.elements(of: try arguments.bind("join", ["iterable"], required: 1)[0]!) {
                parts.append(try part.text("a joined item"))
            }
            return try evaluator.join(parts, receiver(value))
        },
        "format": { value, arguments, evaluator throws(ChatTemplateError) in
            try evaluator.made(try evaluator.braceFormat(receiver(value), arguments))
        },
        "center": padding("center") { missing, width in missing / 2 + (missing & width & 1) },
        "ljust": padding("ljust") { _, _ in 0 },
        "rjust": padding("rjust") { missing, _ in missing },
        "zfill": { value, arguments, evaluator throws(ChatTemplateError) in
            let text = receiver(value)
            let width = try arguments.bind("zfill", ["width"], required: 1)[0]!.integer("the width")
            let count = max(0, width - text.length)
            try evaluator.allow(bytes: count)
            let sign = text.bytes.first == 0x2D || text.bytes.first == 0x2B ? 1 : 0
            var result = text.slice(0..<sign)
            result.append(repeatElement(0x30, count: count), .template)
            result.append(text, sign..<text.count)
            return try evaluator.made(result)
        },
    ]

    /// A method that pads to a width; `share` says how many of the missing characters go before the text.
    private static func padding(
        _ name: String, _ share: @escaping @Sendable (_ missing: Int, _ width: Int) -> Int
    ) -> Method {
        { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind(name, ["width", "fillchar"], required: 1)
            let fill = try parts[1]?.text("the fill character") ?? Text(" ")
            if fill.length != 1 { throw .failure("the fill character must be one character.") }
            let width = try parts[0]!.integer("the width")
            let text = receiver(value)
            let missing = width - text.length
            guard missing > 0 else { return value }
            let (bytes, overflow) = missing.multipliedReportingOverflow(by: fill.count)
            try evaluator.allow(bytes: overflow ? .max : bytes)
            let before = share(missing, width)
            var result = Text()
            for _ in 0..<before { result.append(fill) }
            result.append(text)
            for _ in before..<missing { result.append(fill) }
            return try evaluator.made(result)
        }
    }

    private static func every(_ name: String, _ condition: @escaping @Sendable (Unicode.Scalar) -> Bool) -> Method {
        { value, arguments, _ throws(ChatTemplateError) in
            try arguments.none(name)
            return .boolean(receiver(value).all(condition))
        }
    }

    /// `startswith` and `endswith`, which take a text or a tuple of texts.
    private static func edge(_ name: String, _ matches: @escaping @Sendable (Text, Text) -> Bool) -> Method {
        { value, arguments, _ throws(ChatTemplateError) in
            let parts = try arguments.bind(name, ["text", "start", "end"], required: 1)
            var candidates = [parts[0]!]
            if case .tuple(let list) = candidates[0].content { candidates = list.elements }
            let text = try part(of: receiver(value), parts[1], parts[2]).text
            for candidate in candidates {
                let candidate = try candidate.text("the search text")
                if let text, matches(text, candidate) { return .boolean(true) }
            }
            return .boolean(false)
        }
    }

    /// Returns the range of a search, or `nil` if it is empty because its start is after its end, and the
    /// code points before it.
    private static func part(
        of text: Text, _ start: Value?, _ end: Value?
    ) throws(ChatTemplateError) -> (text: Text?, before: Int) {
        if start == nil, end == nil { return (text, 0) }
        let boundaries = text.boundaries
        let length = boundaries.count - 1
        func bound(_ value: Value?, _ standard: Int) throws(ChatTemplateError) -> Int {
            guard let value, !value.isNone else { return standard }
            let index = try value.integer("a bound")
            return index < 0 ? max(0, max(index, -length) + length) : index
        }
        let first = try bound(start, 0)
        let last = min(try bound(end, length), length)
        if first > last { return (nil, first) }
        return (text.slice(boundaries[first]..<boundaries[last]), first)
    }

    /// Methods that ask something about a text.
    static let textTests: [String: Method] = [
        "startswith": edge("startswith") { $0.bytes.starts(with: $1.bytes) },
        "endswith": edge("endswith") { $0.ends(with: $1) },
        "isdigit": every("isdigit") { $0.properties.numericType == .decimal || $0.properties.numericType == .digit },
        "isdecimal": every("isdecimal") { $0.properties.numericType == .decimal },
        "isnumeric": every("isnumeric") { $0.properties.numericType != nil },
        "isspace": every("isspace") { $0.isPythonSpace },
        "isalpha": every("isalpha") { $0.isLetter },
        "isalnum": every("isalnum") { $0.isLetter || $0.properties.numericType != nil },
        "isascii": { value, arguments, _ throws(ChatTemplateError) in
            try arguments.none("isascii")
            return .boolean(receiver(value).bytes.allSatisfy { $0 < 0x80 })
        },
        "isupper": { value, arguments, _ throws(ChatTemplateError) in
            try arguments.none("isupper")
            return .boolean(receiver(value).isCased(upper: true))
        },
        "islower": { value, arguments, _ throws(ChatTemplateError) in
            try arguments.none("islower")
            return .boolean(receiver(value).isCased(upper: false))
        },
    ]

    /// Looks for a text in a part of another and gives the code point where it is.
    private static func search(_ name: String, last: Bool, mustFind: Bool) -> Method {
        { value, arguments, _ throws(ChatTemplateError) in
            let parts = try arguments.bind(name, ["text", "start", "end"], required: 1)
            let needle = try parts[0]!.text("the search text")
            let (text, before) = try part(of: receiver(value), parts[1], parts[2])
            let place = text.flatMap { last ? $0.findLast(needle) : $0.find(needle) }
            if let text, let place { return .integer(before + text.slice(0..<place).length) }
            if mustFind { throw .failure("the search text was not found.") }
            return .integer(-1)
        }
    }

    /// Methods that find a text in another.
    static let textSearches: [String: Method] = [
        "find": search("find", last: false, mustFind: false),
        "rfind": search("rfind", last: true, mustFind: false),
        "index": search("index", last: false, mustFind: true),
        "rindex": search("rindex", last: true, mustFind: true),
        "count": { value, arguments, _ throws(ChatTemplateError) in
            let parts = try arguments.bind("count", ["text", "start", "end"], required: 1)
            let needle = try parts[0]!.text("the text to count")
            return .integer(try part(of: receiver(value), parts[1], parts[2]).text?.occurrences(of: needle) ?? 0)
        },
    ]

    private static func splitting(_ name: String, fromEnd: Bool) -> Method {
        { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind(name, ["sep", "maxsplit"])
            let limit = try Value.count(parts[1], "`maxsplit`")
            let text = receiver(value)
            let pieces: [Text]
            if let separator = parts[0], !separator.isNone {
                let separator = try separator.text("the separator")
                if separator.isEmpty { throw .failure("the separator must not be empty.") }
                pieces =
                    fromEnd ? text.splitFromEnd(by: separator, limit: limit) : text.split(by: separator, limit: limit)
            } else {
                pieces = fromEnd ? text.wordsFromEnd(limit: limit) : text.words(limit: limit)
            }
            return try evaluator.list(pieces.map { .text($0) })
        }
    }

    private static func partition(_ name: String, last: Bool) -> Method {
        { value, arguments, evaluator throws(ChatTemplateError) in
            let separator = try arguments.bind(name, ["sep"], required: 1)[0]!.text("the separator")
            if separator.isEmpty { throw .failure("the separator must not be empty.") }
            let text = receiver(value)
            let empty = Value.text(text.slice(0..<0))
            guard let place = last ? text.findLast(separator) : text.find(separator) else {
                return try evaluator.tuple(last ? [empty, empty, value] : [value, empty, empty])
            }
            let end = place + separator.count
            return try evaluator.tuple([
                .text(text.slice(0..<place)), .text(text.slice(place..<end)), .text(text.slice(end..<text.count)),
            ])
        }
    }

    /// Methods that take a text apart.
    static let textParts: [String: Method] = [
        "split": splitting("split", fromEnd: false),
        "rsplit": splitting("rsplit", fromEnd: true),
        "partition": partition("partition", last: false),
        "rpartition": partition("rpartition", last: true),
        "splitlines": { value, arguments, evaluator throws(ChatTemplateError) in
            let keeps = try arguments.bind("splitlines", ["keepends"])[0]?.isTrue ?? false
            return try evaluator.list(receiver(value).lines(keepingEnds: keeps).map { .text($0) })
        },
    ]
}

extension Jinja.Text {
    func ends(with suffix: Jinja.Text) -> Bool {
        count >= suffix.count && bytes.suffix(suffix.count).elementsEqual(suffix.bytes)
    }
}

extension Unicode.Scalar {
    /// Python's `str.isalpha` of one character.
    var isLetter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }
}

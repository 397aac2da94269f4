internal import LanguageModels

extension Unicode.Scalar {
    /// Python's `str.isspace`.
    var isPythonSpace: Bool {
        switch value {
        case 9...13, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// What ends a line for Python's `str.splitlines`.
    var isPythonLineEnd: Bool {
        switch value {
        case 10...13, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    var isCased: Bool {
        properties.isUppercase || properties.isLowercase || properties.generalCategory == .titlecaseLetter
    }
}

/// Python's methods of strings. Each piece of a result keeps the origin of what it was made from.
extension Jinja.Text {
    enum Side { case start, end, both }

    /// Without white space, or without the scalars of `characters`, on a side.
    func stripped(_ side: Side, _ characters: Jinja.Text? = nil) -> Jinja.Text {
        let set = characters.map { Set($0.scalars.map(\.scalar)) }
        func goes(_ scalar: Unicode.Scalar) -> Bool { set?.contains(scalar) ?? scalar.isPythonSpace }
        var start = 0
        if side != .end {
            while start < count {
                let (scalar, length) = scalar(at: start)
                guard goes(scalar) else { break }
                start += length
            }
        }
        var end = count
        if side != .start {
            while end > start {
                var first = end - 1
                while first > start, bytes[first] & 0xC0 == 0x80 { first -= 1 }
                guard goes(scalar(at: first).scalar) else { break }
                end = first
            }
        }
        return slice(start..<end)
    }

    /// Each scalar replaced by what `mapping` gives for it.
    private func mapped(_ mapping: (Unicode.Scalar, Int) -> String) -> Jinja.Text {
        var result = slice(0..<0)
        for (scalar, range) in scalars {
            result.append(mapping(scalar, range.lowerBound), origin(at: range.lowerBound))
        }
        return result
    }

    var uppercased: Jinja.Text { mapped { scalar, _ in scalar.properties.uppercaseMapping } }

    var lowercased: Jinja.Text { mapped { scalar, offset in lowered(scalar, at: offset) } }

    /// A final sigma, which follows a letter and precedes none, has a form of its own.
    private func lowered(_ scalar: Unicode.Scalar, at offset: Int) -> String {
        guard scalar == "\u{3A3}" else { return scalar.properties.lowercaseMapping }
        var start = offset
        var before: Unicode.Scalar?
        while start > 0, before == nil {
            start -= 1
            if bytes[start] & 0xC0 == 0x80 { continue }
            let scalar = self.scalar(at: start).scalar
            if !scalar.properties.isCaseIgnorable { before = scalar }
        }
        var after = Scalars(text: self, offset: offset + 2)
        while let next = after.next() {
            if !next.scalar.properties.isCaseIgnorable {
                return before?.isCased == true && !next.scalar.isCased ? "\u{3C2}" : "\u{3C3}"
            }
        }
        return before?.isCased == true ? "\u{3C2}" : "\u{3C3}"
    }

    /// `str.capitalize`: the first scalar in title case, the others in lower case.
    var capitalized: Jinja.Text {
        mapped { scalar, offset in offset == 0 ? scalar.properties.titlecaseMapping : lowered(scalar, at: offset) }
    }

    /// `str.title`: every scalar that follows no cased one in title case.
    var titlecased: Jinja.Text {
        var followsCased = false
        return mapped { scalar, offset in
            defer { followsCased = scalar.isCased }
            return followsCased ? lowered(scalar, at: offset) : scalar.properties.titlecaseMapping
        }
    }

    /// `str.swapcase`.
    var swappedCase: Jinja.Text {
        mapped { scalar, offset in
            if scalar.properties.isUppercase { return lowered(scalar, at: offset) }
            return scalar.properties.isLowercase ? scalar.properties.uppercaseMapping : String(scalar)
        }
    }

    /// Jinja's filter `title`: a word begins after white space, a hyphen or an opening bracket.
    var headlined: Jinja.Text {
        var startsWord = true
        return mapped { scalar, offset in
            let separates = scalar.isPythonSpace || "-({[<".unicodeScalars.contains(scalar)
            defer { startsWord = separates }
            return startsWord ? scalar.properties.uppercaseMapping : lowered(scalar, at: offset)
        }
    }

    /// Whether there are cased scalars and all of them are in this case.
    func isCased(upper: Bool) -> Bool {
        var found = false
        for (scalar, _) in scalars where scalar.isCased {
            let agrees = upper ? scalar.properties.isUppercase : scalar.properties.isLowercase
            if !agrees { return false }
            found = true
        }
        return found
    }

    /// Whether there are scalars and all satisfy a condition.
    func all(_ condition: (Unicode.Scalar) -> Bool) -> Bool { !isEmpty && scalars.allSatisfy { condition($0.scalar) } }

    /// With the first `limit` occurrences of a text replaced; an empty one occurs round every scalar.
    func replacing(_ old: Jinja.Text, _ new: Jinja.Text, limit: Int) -> Jinja.Text {
        var result = slice(0..<0)
        var left = limit
        if old.isEmpty {
            for (_, range) in scalars {
                if left > 0 { result.append(new) }
                left = max(0, left - 1)
                result.append(self, range)
            }
            if left > 0 { result.append(new) }
            return result
        }
        var start = 0
        while left > 0, let place = find(old, from: start) {
            result.append(self, start..<place)
            result.append(new)
            start = place + old.count
            left -= 1
        }
        result.append(self, start..<count)
        return result
    }

    /// How often a text occurs without overlap.
    func occurrences(of part: Jinja.Text) -> Int {
        if part.isEmpty { return length + 1 }
        var count = 0
        var start = 0
        while let place = find(part, from: start) {
            count += 1
            start = place + part.count
        }
        return count
    }

    /// The parts between the first `limit` separators.
    func split(by separator: Jinja.Text, limit: Int) -> [Jinja.Text] {
        var parts: [Jinja.Text] = []
        var start = 0
        while parts.count < limit, let place = find(separator, from: start) {
            parts.append(slice(start..<place))
            start = place + separator.count
        }
        return parts + [slice(start..<count)]
    }

    /// The parts between the last `limit` separators.
    func splitFromEnd(by separator: Jinja.Text, limit: Int) -> [Jinja.Text] {
        let backwards = Jinja.Text(bytes.reversed())
        let parts = backwards.split(by: Jinja.Text(separator.bytes.reversed()), limit: limit)
        var end = count
        var result: [Jinja.Text] = []
        for part in parts {
            result.append(slice((end - part.count)..<end))
            end -= part.count + separator.count
        }
        return result.reversed()
    }

    /// Where a text last occurs. O(n).
    func findLast(_ part: Jinja.Text) -> Int? {
        Jinja.Text(bytes.reversed()).find(Jinja.Text(part.bytes.reversed())).map { count - $0 - part.count }
    }

    /// The words between white space, the rest after `limit` splits left whole.
    func words(limit: Int = .max) -> [Jinja.Text] {
        var parts: [Jinja.Text] = []
        var start: Int?
        for (scalar, range) in scalars {
            if !scalar.isPythonSpace {
                if start == nil, parts.count == limit { return parts + [slice(range.lowerBound..<count)] }
                start = start ?? range.lowerBound
            } else if let first = start {
                parts.append(slice(first..<range.lowerBound))
                start = nil
            }
        }
        return parts + (start.map { [slice($0..<count)] } ?? [])
    }

    /// As `words`, from the end.
    func wordsFromEnd(limit: Int) -> [Jinja.Text] {
        var parts: [Jinja.Text] = []
        var end: Int?
        var position = count
        while position > 0 {
            var first = position - 1
            while first > 0, bytes[first] & 0xC0 == 0x80 { first -= 1 }
            if !scalar(at: first).scalar.isPythonSpace {
                if end == nil, parts.count == limit { return ([slice(0..<position)] + parts.reversed()) }
                end = end ?? position
            } else if let last = end {
                parts.append(slice(position..<last))
                end = nil
            }
            position = first
        }
        return (end.map { [slice(0..<$0)] } ?? []) + parts.reversed()
    }

    /// The lines, with their ends where they are kept.
    func lines(keepingEnds: Bool = false) -> [Jinja.Text] {
        var lines: [Jinja.Text] = []
        var start = 0
        var afterReturn = false
        for (scalar, range) in scalars {
            if afterReturn {
                afterReturn = false
                let end = scalar == "\n" ? range.upperBound : range.lowerBound
                lines.append(slice(start..<(keepingEnds ? end : range.lowerBound - 1)))
                start = end
                if scalar == "\n" { continue }
            }
            guard scalar.isPythonLineEnd else { continue }
            if scalar == "\r" {
                afterReturn = true
            } else {
                lines.append(slice(start..<(keepingEnds ? range.upperBound : range.lowerBound)))
                start = range.upperBound
            }
        }
        if afterReturn {
            lines.append(slice(start..<(keepingEnds ? count : count - 1)))
        } else if start < count {
            lines.append(slice(start..<count))
        }
        return lines
    }

    /// With `&`, `<`, `>` and quotes written as HTML, and marked; a marked text is left as it is.
    var escaped: Jinja.Text {
        if isMarkup { return self }
        var result = mapped { scalar, _ in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "'": "&#39;"
            case "\"": "&#34;"
            default: String(scalar)
            }
        }
        result.isMarkup = true
        return result
    }

    /// The texts with this one between them.
    func joining(_ parts: [Jinja.Text]) -> Jinja.Text {
        var result = slice(0..<0)
        for (position, part) in parts.enumerated() {
            if position > 0 { result.append(self) }
            result.append(part)
        }
        return result
    }
}

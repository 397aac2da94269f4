extension TextAnalysis {
    /// Runs of letters, digits and underscores.
    @inline(__always)
    func splitWords(
        _ text: UnsafeBufferPointer<UInt8>, _ body: (_ outcome: Int32, _ start: Int, _ end: Int) -> Void
    ) {
        UnicodeClasses.asciiWords.withUnsafeBufferPointer { ascii in
            var place = 0
            var start = 0
            let count = text.count
            while place < count {
                let byte = text[place]
                let lower = ascii[Int(byte)]
                if lower != 0 {
                    if characters == 0 { start = place }
                    append(lower, at: place)
                    place += 1
                } else if byte < 0x80 {
                    if characters > 0 { finish(start, place, shortest: 2, body) }
                    place += 1
                } else {
                    let (scalar, size) = Self.scalar(text, at: place)
                    let entry = scalar.map(UnicodeClasses.of)
                    if let scalar, let entry, entry.flags & UnicodeClasses.word != 0 {
                        if characters == 0 { start = place }
                        append(scalar, entry, at: place, text, within: 0..<count)
                        // Of a letter whose lower case ends with a mark, the mark ends the word.
                        if scalar.value == 0x130 { finish(start, place + size, shortest: 2, body) }
                    } else if characters > 0 {
                        finish(start, place, shortest: 2, body)
                    }
                    place += size
                }
            }
            if characters > 0 { finish(start, count, shortest: 2, body) }
        }
    }

    /// Runs of letters and digits with apostrophes and points between two letters or two digits; without a last `'s`.
    func splitStandard(
        _ text: UnsafeBufferPointer<UInt8>, _ body: (_ outcome: Int32, _ start: Int, _ end: Int) -> Void
    ) {
        var place = 0
        while place < text.count {
            guard var kind = Self.kind(text, at: place), kind.isWord else {
                place += Self.kind(text, at: place)?.size ?? 1
                continue
            }
            let start = place
            var end = place
            repeat {
                end += kind.size
                guard let next = Self.kind(text, at: end) else { break }
                if next.isWord {
                    kind = next
                } else if next.isJoiner, let after = Self.kind(text, at: end + next.size), after.isWord,
                    after.isDecimal == kind.isDecimal
                {
                    end += next.size
                    kind = after
                } else {
                    break
                }
            } while true
            place = end
            var stem = end
            if end - start >= 2, text[end - 1] | 0x20 == 0x73 {
                if text[end - 2] == 0x27 {
                    stem = end - 2
                } else if end - start >= 4, text[end - 4] == 0xE2, text[end - 3] == 0x80, text[end - 2] == 0x99 {
                    stem = end - 4
                }
            }
            lower(text, start..<stem, context: start..<end)
            finish(start, stem, shortest: 1, body)
        }
    }

    /// Puts bytes of the text into ``word``, lower-cased.
    private func lower(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, context: Range<Int>) {
        var place = range.lowerBound
        while place < range.upperBound {
            let byte = text[place]
            if byte < 0x80 {
                append(byte &- 0x41 < 26 ? byte | 0x20 : byte, at: place)
                place += 1
                continue
            }
            let (scalar, size) = Self.scalar(text, at: place)
            if let scalar {
                append(scalar, UnicodeClasses.of(scalar), at: place, text, within: context)
                if scalar.value == 0x130 { append(Unicode.Scalar(0x307)!, at: place) }
            }
            place += size
        }
    }

    private struct Kind {
        var size: Int
        var isWord = false
        var isDecimal = false
        var isJoiner = false
    }

    /// What begins at a byte of a text, for ``splitStandard(_:_:)``; `nil` at the end.
    private static func kind(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Kind? {
        guard place < text.count else { return nil }
        let byte = text[place]
        if byte < 0x80 {
            let isWord = UnicodeClasses.asciiWords[Int(byte)] != 0 && byte != 0x5F
            return Kind(
                size: 1, isWord: isWord, isDecimal: byte &- 0x30 < 10, isJoiner: byte == 0x27 || byte == 0x2E)
        }
        let (scalar, size) = scalar(text, at: place)
        guard let scalar else { return Kind(size: size) }
        let flags = UnicodeClasses.of(scalar).flags
        return Kind(
            size: size, isWord: flags & UnicodeClasses.word != 0, isDecimal: flags & UnicodeClasses.decimal != 0,
            isJoiner: scalar.value == 0x2019)
    }

    @inline(__always)
    private func append(_ byte: UInt8, at place: Int) {
        if keepsMarks { marks.append((wordCount, place, false)) }
        if wordCount <= Self.longestWord {
            word[wordCount] = byte
            wordCount += 1
        }
        characters += 1
    }

    private func append(
        _ scalar: Unicode.Scalar, _ entry: UnicodeClasses.Entry, at place: Int, _ text: UnsafeBufferPointer<UInt8>,
        within context: Range<Int>
    ) {
        var lower = entry.lower
        if scalar.value == 0x3A3, Self.isFinalSigma(text, place, context) { lower = 0x3C2 }
        if analyzer.foldsAccents { lower = UnicodeClasses.fold(lower) }
        if keepsMarks { marks.append((wordCount, place, entry.flags & UnicodeClasses.cjk != 0)) }
        put(Unicode.Scalar(lower) ?? scalar)
    }

    private func append(_ scalar: Unicode.Scalar, at place: Int) {
        if keepsMarks { marks.append((wordCount, place, false)) }
        put(scalar)
    }

    private func put(_ scalar: Unicode.Scalar) {
        if wordCount <= Self.longestWord {
            for byte in UTF8.encode(scalar)! {
                word[wordCount] = byte
                wordCount += 1
            }
        }
        characters += 1
    }

    /// A capital sigma is a final one after a letter and before none (Unicode, SpecialCasing, Final_Sigma).
    private static func isFinalSigma(
        _ text: UnsafeBufferPointer<UInt8>, _ place: Int, _ context: Range<Int>
    ) -> Bool {
        var before = place
        var follows = false
        while before > context.lowerBound {
            repeat { before -= 1 } while before > context.lowerBound && text[before] & 0xC0 == 0x80
            guard let scalar = scalar(text, at: before).scalar else { break }
            if scalar.properties.isCaseIgnorable { continue }
            follows = scalar.properties.isCased
            break
        }
        guard follows else { return false }
        var after = place + 2
        while after < context.upperBound {
            let (scalar, size) = scalar(text, at: after)
            guard let scalar else { break }
            after += size
            if scalar.properties.isCaseIgnorable { continue }
            return !scalar.properties.isCased
        }
        return true
    }

    /// Returns the character at a byte that is not ASCII, and its length; `nil` and 1 if the bytes are invalid.
    static func scalar(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> (scalar: Unicode.Scalar?, size: Int) {
        let byte = text[place]
        let size = byte < 0x80 ? 1 : byte < 0xC0 ? 0 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF8 ? 4 : 0
        guard size > 0, place + size <= text.count else { return (nil, 1) }
        if size == 1 { return (Unicode.Scalar(byte), 1) }
        var value = UInt32(byte) & (0x7F >> UInt32(size))
        for offset in 1..<size {
            let next = text[place + offset]
            guard next & 0xC0 == 0x80 else { return (nil, 1) }
            value = value << 6 | UInt32(next & 0x3F)
        }
        return (Unicode.Scalar(value), size)
    }
}

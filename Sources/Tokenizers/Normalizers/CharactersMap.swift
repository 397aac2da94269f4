/// SentencePiece's precompiled normalization: a double array over UTF-8 that gives a replacement for each string that
/// it holds.
///
/// Layout: u32 size of the array in bytes, the array as u32 units, then replacements that NUL ends. Of a unit, bits
/// 0-7 and 31 are its label, bit 8 says that a string ends below it, bits 10-30 are the offset of its children,
/// shifted by 8 more if bit 9 is set; a leaf's low 31 bits are the place of its replacement.
/// - Source: Kudo, Richardson 2018 (SentencePiece); Yata, "Darts-clone" for the units.
package struct CharactersMap: Sendable {
    private let units: [UInt32]
    private let replacements: [UInt8]
    /// Whether a string is looked for from each place, and the longest counts; false takes user-perceived characters
    /// of up to five bytes, and of each the shortest string that begins it, as Hugging Face's reading does.
    package let findsLongest: Bool

    package init(_ blob: [UInt8], findsLongest: Bool) throws(TokenizerError) {
        guard blob.count >= 4 else { throw Self.broken("the map is shorter than its size field") }
        let size = blob[0..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard size >= 4, size % 4 == 0, size <= blob.count - 4 else {
            throw Self.broken("the trie must have \(size) bytes, but only \(blob.count - 4) follow")
        }
        units = (0..<size / 4).map { unit in
            blob[(4 + unit * 4)..<(8 + unit * 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        replacements = Array(blob[(4 + size)...]) + [0]
        self.findsLongest = findsLongest
    }

    private static func broken(_ problem: String) -> TokenizerError {
        TokenizerError("precompiled_charsmap", problem: problem, remedy: "Download the file again.")
    }

    package func apply(to text: AlignedText) -> AlignedText {
        findsLongest ? applyLongest(to: text) : applyByCharacter(to: text)
    }

    private func applyLongest(to text: AlignedText) -> AlignedText {
        var result = text.rewritten()
        text.bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var index = 0
            while index < buffer.count {
                if let match = match(base, index, buffer.count, longest: true) {
                    append(match.place, for: index..<index + match.length, of: text, to: &result)
                    index += match.length
                } else {
                    let length = scalar(base, at: index, end: buffer.count).length
                    result.append(text, index..<index + length)
                    index += length
                }
            }
        }
        return result
    }

    private func applyByCharacter(to text: AlignedText) -> AlignedText {
        var result = text.rewritten()
        var index = 0
        let string = String(decoding: text.bytes, as: UTF8.self)
        text.bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for character in string {
                let end = min(index + character.utf8.count, buffer.count)
                if end - index < 6, let match = match(base, index, end, longest: false) {
                    append(match.place, for: index..<end, of: text, to: &result)
                    index = end
                }
                while index < end {
                    let length = scalar(base, at: index, end: end).length
                    let range = index..<index + length
                    if let match = match(base, index, index + length, longest: false) {
                        append(match.place, for: range, of: text, to: &result)
                    } else {
                        result.append(text, range)
                    }
                    index += length
                }
            }
        }
        return result
    }

    private func append(_ place: Int, for range: Range<Int>, of text: AlignedText, to result: inout AlignedText) {
        let end = replacements[place...].firstIndex(of: 0) ?? replacements.count
        result.append(replacements[place..<end], for: range, of: text)
    }

    /// A string of the map that `text[start..<end]` begins with, and the place of its replacement.
    private func match(_ text: UTF8Pointer, _ start: Int, _ end: Int, longest: Bool) -> (length: Int, place: Int)? {
        var found: (length: Int, place: Int)?
        var node = Self.offset(units[0])
        var index = start
        while index < end {
            let byte = UInt32(text[index])
            // NUL is the label of leaves.
            guard byte != 0 else { break }
            node ^= Int(byte)
            guard node < units.count else { break }
            let unit = units[node]
            guard unit & 0x8000_00FF == byte else { break }
            index += 1
            node ^= Self.offset(unit)
            if unit >> 8 & 1 == 1 {
                guard node < units.count else { break }
                let place = Int(units[node] & 0x7FFF_FFFF)
                guard place < replacements.count else { break }
                found = (index - start, place)
                if !longest { break }
            }
        }
        return found
    }

    private static func offset(_ unit: UInt32) -> Int { Int(unit >> 10) << Int((unit & 1 << 9) >> 6) }
}

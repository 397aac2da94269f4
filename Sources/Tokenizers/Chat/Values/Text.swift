internal import LanguageModels

extension Jinja {
    /// A string that knows where each of its bytes came from.
    ///
    /// The bytes are UTF-8. The origin is kept in runs, and a text of a single origin, which most are, has no runs.
    struct Text: Sendable {
        /// Bytes up to `end` that have the same origin.
        struct Run: Sendable {
            var end: Int
            var origin: TokenOrigin
        }

        private(set) var bytes: [UInt8]
        /// The origin of all bytes where there are no runs.
        private var single: TokenOrigin
        /// Ranges in order, the last one ending with the text; empty if all bytes have one origin.
        private var runs: [Run] = []
        /// Whether it came from `safe` or `escape`, so that what is added to it is escaped.
        var isMarkup = false

        init(_ bytes: [UInt8] = [], _ origin: TokenOrigin = .template) {
            self.bytes = bytes
            single = origin
        }

        init(_ string: String, _ origin: TokenOrigin = .template) { self.init(Array(string.utf8), origin) }

        var count: Int { bytes.count }
        var isEmpty: Bool { bytes.isEmpty }
        var string: String { String(decoding: bytes, as: UTF8.self) }

        /// The origin of the byte at an offset; of the whole where it is empty or the offset is its end.
        func origin(at offset: Int) -> TokenOrigin {
            if runs.isEmpty { return single }
            return runs[min(run(at: offset), runs.count - 1)].origin
        }

        /// The index of the run that holds a byte. O(log runs).
        private func run(at offset: Int) -> Int {
            var low = 0
            var high = runs.count
            while low < high {
                let middle = (low + high) / 2
                if runs[middle].end <= offset { low = middle + 1 } else { high = middle }
            }
            return low
        }

        /// The origins in order, neighbours differing.
        var spans: [(range: Range<Int>, origin: TokenOrigin)] {
            if runs.isEmpty { return isEmpty ? [] : [(0..<count, single)] }
            var spans: [(range: Range<Int>, origin: TokenOrigin)] = []
            var start = 0
            for run in runs {
                spans.append((start..<run.end, run.origin))
                start = run.end
            }
            return spans
        }

        mutating func append(_ more: some Collection<UInt8>, _ origin: TokenOrigin) {
            if more.isEmpty { return }
            mark(more.count, origin)
            bytes.append(contentsOf: more)
        }

        mutating func append(_ more: String, _ origin: TokenOrigin) { append(more.utf8, origin) }

        mutating func append(_ byte: UInt8, _ origin: TokenOrigin) {
            mark(1, origin)
            bytes.append(byte)
        }

        mutating func append(_ scalar: Unicode.Scalar, _ origin: TokenOrigin) {
            append(UTF8.encode(scalar)!, origin)
        }

        mutating func append(_ more: Text) { append(more, 0..<more.count) }

        /// Appends a part of another text with its origins.
        mutating func append(_ more: Text, _ range: Range<Int>) {
            if range.isEmpty { return }
            if more.runs.isEmpty {
                mark(range.count, more.single)
            } else {
                var start = range.lowerBound
                var index = more.run(at: start)
                while start < range.upperBound {
                    let end = min(more.runs[index].end, range.upperBound)
                    mark(end - start, more.runs[index].origin, at: count + (start - range.lowerBound))
                    start = end
                    index += 1
                }
            }
            bytes.append(contentsOf: more.bytes[range])
        }

        /// A part of this text.
        func slice(_ range: Range<Int>) -> Text {
            if range == 0..<count { return self }
            var part = Text([], origin(at: range.lowerBound))
            part.append(self, range)
            part.isMarkup = isMarkup
            return part
        }

        /// The bytes that follow `position`, the end if it is not given, have this origin.
        private mutating func mark(_ length: Int, _ origin: TokenOrigin, at position: Int? = nil) {
            let position = position ?? count
            if position == 0 {
                single = origin
                runs.removeAll()
            } else if runs.isEmpty {
                if origin == single { return }
                runs = [Run(end: position, origin: single), Run(end: position + length, origin: origin)]
            } else if runs[runs.count - 1].origin == origin {
                runs[runs.count - 1].end = position + length
            } else {
                runs.append(Run(end: position + length, origin: origin))
            }
        }
    }
}

extension Jinja.Text: Hashable {
    static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
    static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension Jinja.Text {
    /// The scalar that starts at a byte, and its length in bytes.
    func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int) {
        let first = bytes[offset]
        if first < 0x80 { return (Unicode.Scalar(first), 1) }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard offset + length <= count else { return ("\u{FFFD}", count - offset) }
        var value = UInt32(first) & (length == 4 ? 7 : length == 3 ? 15 : 31)
        for byte in bytes[(offset + 1)..<(offset + length)] { value = value << 6 | UInt32(byte & 63) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }

    /// The scalars with the range of each.
    var scalars: Scalars { Scalars(text: self) }

    struct Scalars: Sequence, IteratorProtocol {
        let text: Jinja.Text
        var offset = 0

        mutating func next() -> (scalar: Unicode.Scalar, range: Range<Int>)? {
            guard offset < text.count else { return nil }
            let (scalar, length) = text.scalar(at: offset)
            defer { offset += length }
            return (scalar, offset..<(offset + length))
        }
    }

    /// The number of code points, which is what Python calls a string's length. O(n).
    var length: Int { bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }

    /// Where the code points start, and the end. O(n).
    var boundaries: [Int] { bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 } + [count] }

    /// The code point at an index, negative ones counting from the end; nil beyond the ends. O(n).
    func character(at index: Int) -> Jinja.Text? {
        let length = length
        var left = index < 0 ? index + length : index
        guard left >= 0, left < length else { return nil }
        for (_, range) in scalars {
            if left == 0 { return slice(range) }
            left -= 1
        }
        return nil
    }

    /// Returns the first occurrence of `needle` at or after an offset; `nil` if there is none.
    ///
    /// O(n) whatever the texts are (Knuth, Morris, Pratt 1977): a hostile template could ask for the worst case.
    func find(_ needle: Jinja.Text, from start: Int = 0) -> Int? {
        guard start <= count, needle.count <= count - start else { return nil }
        if needle.isEmpty { return start }
        if needle.count == 1 { return bytes[start...].firstIndex(of: needle.bytes[0]) }
        // The length of the longest proper border of each prefix of the needle.
        var borders = [Int](repeating: 0, count: needle.count)
        var border = 0
        for index in 1..<needle.count {
            while border > 0, needle.bytes[index] != needle.bytes[border] { border = borders[border - 1] }
            if needle.bytes[index] == needle.bytes[border] { border += 1 }
            borders[index] = border
        }
        var matched = 0
        for index in start..<count {
            while matched > 0, bytes[index] != needle.bytes[matched] { matched = borders[matched - 1] }
            if bytes[index] == needle.bytes[matched] { matched += 1 }
            if matched == needle.count { return index + 1 - matched }
        }
        return nil
    }
}

internal import JSON

/// Where the documents of each filter stand in a file of samples: lm-eval writes all of them behind one filter, then all
/// of them behind the next. The borders are found by looking at few lines, so that a file of gigabytes opens at once.
struct LMEvalStrands {
    /// Byte ranges of every filter's lines, in the order of the file; the last ends with the file. Empty if there is
    /// only one filter, or if the lines are mixed.
    private(set) var ranges: [Range<Int>] = []
    /// The filters that were seen.
    private(set) var filters: [String] = []

    private struct Line {
        var start: Int
        var filter: String
        var document: String
    }

    private let file: LogFile

    /// Places of the file that are looked at before the borders are looked for.
    private static let probes = 24

    init(_ file: LogFile) throws(EvalLogError) {
        self.file = file
        let size = file.size
        guard let first = try line(from: 0) else { return }
        var seen = [(offset: 0, line: first)]
        for number in 1...Self.probes {
            let offset = number == Self.probes ? try lastStart(size) : size / Self.probes * number
            if offset > seen[seen.count - 1].offset, let line = try line(from: offset) { seen.append((offset, line)) }
        }
        for (_, line) in seen where !filters.contains(line.filter) && filters.count < 64 {
            filters.append(line.filter)
        }
        var starts = [first]
        for place in seen.indices.dropFirst() {
            try split(seen[place - 1], seen[place], into: &starts)
            if starts.count > filters.count { return }
        }
        let isInOrder = Set(starts.map(\.filter)).count == starts.count
        // Every filter's lines begin with the same document.
        guard starts.count > 1, isInOrder, starts.allSatisfy({ $0.document == first.document }) else { return }
        ranges = starts.indices.map { place in
            starts[place].start..<(place + 1 < starts.count ? starts[place + 1].start : .max)
        }
    }

    /// Finds the lines between two places at which another filter begins.
    private func split(
        _ low: (offset: Int, line: Line), _ high: (offset: Int, line: Line), into starts: inout [Line]
    ) throws(EvalLogError) {
        guard low.line.filter != high.line.filter, starts.count <= 64 else { return }
        // Between the two places no other line begins.
        guard high.offset - low.offset > 1, high.line.start > low.line.start else { return starts.append(high.line) }
        let middle = low.offset + (high.offset - low.offset) / 2
        guard let line = try line(from: middle) else { return }
        try split(low, (middle, line), into: &starts)
        try split((middle, line), high, into: &starts)
    }

    /// Returns the first line that starts at or after a byte; `nil` if there is none that can be read.
    private func line(from offset: Int) throws(EvalLogError) -> Line? {
        var start = offset
        if offset > 0 {
            // The line feed before it may be the byte before.
            guard let feed = try self.feed(from: offset - 1) else { return nil }
            start = feed + 1
        }
        let end = try feed(from: start) ?? file.size
        guard end > start, end - start <= LogJSON.most else { return nil }
        let bytes = try file.bytes(start..<end)
        return try? LogJSON.parse(bytes, path: file.path, place: "") { node in
            guard let document = node["doc_id"]?.text else { return nil }
            return Line(start: start, filter: node["filter"]?.string ?? "none", document: document)
        }
    }

    /// Returns the offset of the next line feed; `nil` if there is none.
    private func feed(from offset: Int) throws(EvalLogError) -> Int? {
        var place = offset
        var piece = 4 << 10
        while true {
            let bytes = try file.bytes(place..<place + piece)
            if let found = bytes.firstIndex(of: 0x0A) { return place + found }
            if bytes.count < piece { return nil }
            place += piece
            piece = min(piece * 2, 1 << 20)
        }
    }

    /// Where the last line begins that has an end.
    private func lastStart(_ size: Int) throws(EvalLogError) -> Int {
        var length = 4 << 10
        while true {
            let from = max(0, size - length)
            let tail = try file.bytes(from..<size)
            let end = tail.last == 0x0A ? tail.count - 1 : tail.count
            if let feed = tail[..<end].lastIndex(of: 0x0A) { return from + feed + 1 }
            if from == 0 || length >= LogJSON.most { return from }
            length *= 4
        }
    }
}

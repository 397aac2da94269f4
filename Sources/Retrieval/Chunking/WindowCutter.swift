/// Cuts a range of a text into windows: each as long as allowed, ended at the best place near its end.
///
/// One pass: a window begins where the last one ended, less the overlap, and extends as far as the size allows; the
/// end goes back to the last good border. Nothing is looked at more than a few times, so the cost is O(n) whatever the
/// text holds.
struct WindowCutter {
    struct Style {
        /// Borders to end at, best first; none: exactly at the size.
        var levels: [TextBorders.Level] = [.paragraph, .sentence, .line, .word]
        /// Ends at a border of the first level as soon as there is one, however short the chunk.
        var insistsOnFirst = false
        /// White space at a chunk's ends is left out.
        var trims = true
        /// Whether leading white space is trimmed only by whole lines.
        var keepsIndentation = false
    }

    /// A place that is better than any border of the text, the higher the better; no text is repeated behind it.
    struct Mark {
        var place: Int
        var level: Int
    }

    var measure: ChunkMeasure
    let style: Style
    let size: Int
    let overlap: Int
    /// By place.
    var marks: [Mark] = []
    /// Ranges that are not cut; in order, apart from each other.
    private var blocks: [Range<Int>] = []

    private var bytes: UnsafeBufferPointer<UInt8> { measure.bytes }

    init(measure: ChunkMeasure, style: Style, size: Int, overlap: Int) {
        self.measure = measure
        self.style = style
        self.size = size
        self.overlap = overlap
    }

    /// Keeps these ranges whole where they are no longer than the size.
    mutating func keep(_ ranges: [Range<Int>]) { blocks = ranges.filter { measure.size($0) <= size } }

    /// Cuts the range and hands on each chunk's.
    mutating func cut(_ range: Range<Int>, take: (Range<Int>) -> Void) {
        let region = trimmed(range)
        guard !region.isEmpty else { return }
        var start = region.lowerBound
        var done = start
        var taken = start
        while done < region.upperBound {
            var (end, isMark) = end(from: start, done: done, limit: region.upperBound)
            if end <= done {
                // What was repeated leaves no room for what must stay whole.
                start = skipSpace(done, region.upperBound)
                (end, isMark) = self.end(from: start, done: start, limit: region.upperBound)
            }
            end = max(end, min(region.upperBound, measure.borders.advanced(max(start, done), by: 1)))
            let chunk = trimmed(start..<end)
            // What is new in it may be white space alone.
            if chunk.upperBound > taken, !chunk.isEmpty {
                take(chunk)
                taken = chunk.upperBound
            }
            done = end
            start = isMark || end == region.upperBound ? end : overlapStart(chunk.isEmpty ? end..<end : chunk, end)
            start = skipSpace(start, region.upperBound)
            done = max(done, skipSpace(done, region.upperBound))
        }
    }

    // MARK: The end of a window

    private mutating func end(from start: Int, done: Int, limit: Int) -> (end: Int, isMark: Bool) {
        let reach = measure.fit(from: start, to: limit, limit: size)
        // White space behind the window costs nothing, since it is left out.
        var high = style.trims ? skipAllSpace(reach, limit) : reach
        if high >= limit { return (limit, false) }
        if let mark = mark(after: done, to: high) { return (mark, true) }
        if let block = block(around: high), block.lowerBound > start || block.lowerBound > done {
            high = block.lowerBound
            return (max(high, done), false)
        }
        guard !style.levels.isEmpty else { return (min(reach, high), false) }
        let quarter = max(done, start + (high - start) / 4)
        let half = max(done, start + (high - start) / 2)
        let low = style.insistsOnFirst ? done : quarter
        let found = TextBorders(bytes, low: low, high: high) { place in
            measure.borders.isBorder(place) && block(around: place) == nil
        }
        for level in style.levels {
            guard let place = found.place(level) else { continue }
            if place > half || level == style.levels[0] && (style.insistsOnFirst || place > quarter) {
                return (place, false)
            }
        }
        for level in style.levels { if let place = found.place(level), place > quarter { return (place, false) } }
        let cut = min(reach, high)
        if let block = block(around: cut), block.lowerBound > done { return (block.lowerBound, false) }
        return (cut, false)
    }

    /// Returns the best mark in `done < place <= high`, the last of its level.
    private func mark(after done: Int, to high: Int) -> Int? {
        guard !marks.isEmpty else { return nil }
        var index = firstMark(after: done)
        var best: Mark?
        while index < marks.count, marks[index].place <= high {
            if marks[index].level >= best?.level ?? .min { best = marks[index] }
            index += 1
        }
        return best?.place
    }

    private func firstMark(after place: Int) -> Int {
        var low = 0
        var high = marks.count
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].place <= place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the block that a place lies inside of.
    private func block(around place: Int) -> Range<Int>? {
        guard !blocks.isEmpty else { return nil }
        var low = 0
        var high = blocks.count
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].lowerBound < place { low = middle + 1 } else { high = middle }
        }
        guard low > 0, place < blocks[low - 1].upperBound else { return nil }
        return blocks[low - 1]
    }

    // MARK: The beginning of a window

    /// Returns the start of the next chunk, so that it repeats the end of this one.
    private mutating func overlapStart(_ chunk: Range<Int>, _ end: Int) -> Int {
        guard overlap > 0 else { return end }
        let target = measure.back(from: chunk.upperBound, size: overlap)
        // A chunk that is no longer than the overlap is not repeated.
        guard target > chunk.lowerBound, target < chunk.upperBound else { return end }
        if let block = block(around: target) { return block.upperBound < end ? block.upperBound : end }
        guard !style.levels.isEmpty, measure.borders.isBorder(target) else { return target }
        let found = TextBorders(bytes, low: target - 1, high: chunk.upperBound - 1, first: true) { place in
            measure.borders.isBorder(place) && block(around: place) == nil
        }
        let middle = target + (chunk.upperBound - target) / 2
        for level in [TextBorders.Level.paragraph, .sentence, .line] where style.levels.contains(level) {
            if let place = found.place(level), style.insistsOnFirst || place <= middle { return place }
        }
        return found.place(.word) ?? target
    }

    // MARK: White space

    /// Without the white space at its ends, as the style has it; Characters stay whole.
    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        guard style.trims else { return range }
        let start = skipSpace(range.lowerBound, range.upperBound)
        var end = range.upperBound
        while end > start, SentenceRule.isSpace(bytes[end - 1]) {
            let before = measure.borders.isBorder(end - 1) ? end - 1 : end - 2
            guard before >= start, measure.borders.isBorder(before), SentenceRule.isSpace(bytes[before]) else { break }
            end = before
        }
        return start..<end
    }

    /// Behind the white space that is left out in front of a chunk.
    private func skipSpace(_ start: Int, _ end: Int) -> Int {
        guard style.trims else { return start }
        let behind = skipAllSpace(start, end)
        guard style.keepsIndentation, behind < end else { return behind }
        var line = behind
        while line > start, bytes[line - 1] != 0x0A { line -= 1 }
        return line
    }

    private func skipAllSpace(_ start: Int, _ end: Int) -> Int {
        var place = start
        while place < end, SentenceRule.isSpace(bytes[place]) {
            var next = place + 1
            if !measure.borders.isBorder(next) { next += 1 }
            guard measure.borders.isBorder(next), next <= end, SentenceRule.isSpace(bytes[next - 1]) else { break }
            place = next
        }
        return place
    }
}

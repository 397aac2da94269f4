/// ```
/// [^\r\n\p{L}\p{N}]?U*W+(contraction)?|[^\r\n\p{L}\p{N}]?U+W*(contraction)?|\p{N}{1,3}|
///  ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
/// ```
/// with U = `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, W = `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`: words are cut before a capital.
/// Tekken has no contractions and takes one digit at a time.
struct O200kScanner: PieceScanner {
    let runs = ClassRuns()
    let mostDigits: Int
    let takesContractions: Bool

    func pieceEnd(_ text: UTF8Pointer, _ start: Int, _ end: Int) -> Int {
        let (classes, length) = runs.character(text, start, end)
        let mayPrecede = classes & (ClassRuns.newline | ClassRuns.letter | ClassRuns.number) == 0
        if mayPrecede, let stop = wordEndingLow(text, start &+ length, end) { return suffix(text, stop, end) }
        if let stop = wordEndingLow(text, start, end) { return suffix(text, stop, end) }
        if mayPrecede, let stop = wordBeginningHigh(text, start &+ length, end) { return suffix(text, stop, end) }
        if let stop = wordBeginningHigh(text, start, end) { return suffix(text, stop, end) }
        if classes & ClassRuns.number != 0 {
            var index = start &+ length
            for _ in 1..<max(mostDigits, 1) {
                let digit = runs.character(text, index, end)
                if digit.classes & ClassRuns.number == 0 { break }
                index &+= digit.length
            }
            return index
        }
        let symbol = ClassRuns.other | ClassRuns.mark
        let next = runs.character(text, start &+ length, end)
        if classes & symbol != 0 || (text[start] == UInt8(ascii: " ") && next.classes & symbol != 0) {
            var index = runs.run(symbol, text, start &+ length, end)
            while index < end, text[index] == 10 || text[index] == 13 || text[index] == UInt8(ascii: "/") {
                index &+= 1
            }
            return index
        }
        return runs.whitespace(text, start, end, newlinesFirst: true)
    }

    /// `U*W+`: the run of U gives back until a W follows.
    private func wordEndingLow(_ text: UTF8Pointer, _ start: Int, _ end: Int) -> Int? {
        let high = runs.run(ClassRuns.upper, text, start, end)
        let stop = runs.run(ClassRuns.lower, text, high, end)
        if stop > high { return stop }
        var index = high
        while index > start {
            let previous = index &- lengthOfScalar(before: index, in: text, start: start)
            if runs.character(text, previous, end).classes & ClassRuns.lower != 0 { return index }
            index = previous
        }
        return nil
    }

    /// `U+W*`
    private func wordBeginningHigh(_ text: UTF8Pointer, _ start: Int, _ end: Int) -> Int? {
        let high = runs.run(ClassRuns.upper, text, start, end)
        return high > start ? runs.run(ClassRuns.lower, text, high, end) : nil
    }

    private func suffix(_ text: UTF8Pointer, _ start: Int, _ end: Int) -> Int {
        guard takesContractions, start < end, text[start] == UInt8(ascii: "'") else { return start }
        return runs.contraction(text, start, end, ignoringCase: true)
    }
}

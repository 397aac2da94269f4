/// ```
/// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|
/// \s*[\r\n]+|\s+(?!\S)|\s+
/// ```
/// Llama 3 takes up to three digits at once, Qwen 2 one; for Qwen 3.5 marks are parts of words.
struct Llama3Scanner: PieceScanner {
    let runs = ClassRuns()
    /// Maximum number of digits in a piece.
    let mostDigits: Int
    /// What words are made of, and what stands for itself.
    let word: UInt8
    let symbol: UInt8

    init(mostDigits: Int, marksAreLetters: Bool = false) {
        self.mostDigits = mostDigits
        word = marksAreLetters ? ClassRuns.letter | ClassRuns.mark : ClassRuns.letter
        symbol = marksAreLetters ? ClassRuns.other : ClassRuns.other | ClassRuns.mark
    }

    @inline(__always)
    func pieceEnd(_ text: UTF8Pointer, _ start: Int, _ end: Int) -> Int {
        let byte = text[start]
        if byte == UInt8(ascii: "'") {
            let stop = runs.contraction(text, start, end, ignoringCase: true)
            if stop > start { return stop }
        }
        let (classes, length) = runs.character(text, start, end)
        if classes & ClassRuns.letter != 0 { return runs.run(word, text, start &+ length, end) }
        if classes & ClassRuns.number != 0 {
            var index = start &+ length
            var left = mostDigits &- 1
            while left > 0 {
                let digit = runs.character(text, index, end)
                if digit.classes & ClassRuns.number == 0 { break }
                index &+= digit.length
                left &-= 1
            }
            return index
        }
        let next = runs.character(text, start &+ length, end)
        if classes & ClassRuns.newline == 0, next.classes & word != 0 {
            return runs.run(word, text, start &+ length &+ next.length, end)
        }
        if classes & word != 0 { return start &+ length }
        if classes & symbol != 0 || (byte == UInt8(ascii: " ") && next.classes & symbol != 0) {
            let stop = runs.run(symbol, text, start &+ length, end)
            return runs.run(ClassRuns.newline, text, stop, end)
        }
        return runs.whitespace(text, start, end, newlinesFirst: true)
    }
}

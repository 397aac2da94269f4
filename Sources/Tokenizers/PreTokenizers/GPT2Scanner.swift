/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
struct GPT2Scanner: PieceScanner {
    let runs = ClassRuns()

    @inline(__always)
    func pieceEnd(_ text: UTF8Pointer, _ start: Int, _ end: Int) -> Int {
        let byte = text[start]
        if byte == UInt8(ascii: "'") {
            let stop = runs.contraction(text, start, end, ignoringCase: false)
            if stop > start { return stop }
        }
        let body = byte == UInt8(ascii: " ") ? start &+ 1 : start
        let (classes, length) = runs.character(text, body, end)
        if classes & ClassRuns.letter != 0 { return runs.run(ClassRuns.letter, text, body &+ length, end) }
        if classes & ClassRuns.number != 0 { return runs.run(ClassRuns.number, text, body &+ length, end) }
        if classes & (ClassRuns.other | ClassRuns.mark) != 0 {
            return runs.run(ClassRuns.other | ClassRuns.mark, text, body &+ length, end)
        }
        return runs.whitespace(text, start, end, newlinesFirst: false)
    }
}

/// How a piece becomes tokens.
enum TokenModel: Sendable {
    case merges(MergeModel)
    case unigram(UnigramModel)
    case wordPiece(WordPieceModel)
    case wordLevel(WordLevelModel)

    /// Appends the tokens of `text[start..<end]`.
    private func encodePiece(_ text: UTF8Pointer, _ start: Int, _ end: Int, _ state: inout EncoderState) {
        switch self {
        case .merges(let model): model.encode(text, start, end, into: &state)
        case .unigram(let model): model.encode(text, start, end, into: &state)
        case .wordPiece(let model): model.encode(text, start, end, into: &state)
        case .wordLevel(let model): model.encode(text, start, end, into: &state)
        }
    }

    /// Appends the tokens of `text[start..<end]`, from the cache if it was seen lately. `limit` bytes are readable.
    @inline(__always)
    func encodeCached(_ text: UTF8Pointer, _ start: Int, _ end: Int, _ limit: Int, _ state: inout EncoderState) {
        let length = end &- start
        // Spans of unknown characters are not in the cache.
        if length > PieceCache.longest || state.tracksSpans { return encodePiece(text, start, end, &state) }
        let key = PieceCache.key(text + start, length: length, readable: limit &- start)
        let entry = state.cache.entry(key)
        if entry.pointee.low == key.low, entry.pointee.high == key.high {
            state.reserve(4)
            let ids = entry.pointee.ids
            UnsafeMutableRawPointer(state.ids + state.count).storeBytes(of: ids, as: SIMD4<TokenID>.self)
            // Absent tokens are -1: their sign bits count them.
            state.count &+= 4 &+ Int(ids.x >> 31 &+ ids.y >> 31 &+ ids.z >> 31 &+ ids.w >> 31)
            return
        }
        encodeAndKeep(text, start, end, key, entry, &state)
    }

    @inline(never)
    private func encodeAndKeep(
        _ text: UTF8Pointer, _ start: Int, _ end: Int, _ key: (low: UInt64, high: UInt64),
        _ entry: UnsafeMutablePointer<PieceCache.Entry>, _ state: inout EncoderState
    ) {
        let before = state.count
        encodePiece(text, start, end, &state)
        let count = state.count &- before
        if count > 4 { return }
        var ids = SIMD4<TokenID>(repeating: -1)
        for index in 0..<count { ids[index] = state.ids[before + index] }
        entry.pointee = PieceCache.Entry(low: key.low, high: key.high, ids: ids)
    }

    /// Cuts `text[range]` with a scanner and appends the tokens of each piece.
    func encode(
        _ pattern: KnownPattern, _ text: UTF8Pointer, _ range: Range<Int>, _ limit: Int, _ state: inout EncoderState
    ) {
        switch pattern {
        case .gpt2: encode(GPT2Scanner(), text, range, limit, &state)
        case .llama3: encode(Llama3Scanner(mostDigits: 3), text, range, limit, &state)
        case .qwen2: encode(Llama3Scanner(mostDigits: 1), text, range, limit, &state)
        case .qwen35: encode(Llama3Scanner(mostDigits: 1, marksAreLetters: true), text, range, limit, &state)
        case .o200k: encode(O200kScanner(mostDigits: 3, takesContractions: true), text, range, limit, &state)
        case .tekken: encode(O200kScanner(mostDigits: 1, takesContractions: false), text, range, limit, &state)
        }
    }

    @inline(__always)
    private func encode<Scanner: PieceScanner>(
        _ scanner: Scanner, _ text: UTF8Pointer, _ range: Range<Int>, _ limit: Int, _ state: inout EncoderState
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            let end = scanner.pieceEnd(text, index, range.upperBound)
            encodeCached(text, index, end, limit, &state)
            index = end
        }
    }
}

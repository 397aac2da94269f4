internal import JSON

/// The tokens of a `tokenizer.json` by id: those of the model and those that were added.
struct JSONVocabulary {
    private(set) var strings = ByteStrings()
    /// By id, of a Unigram model.
    private(set) var scores: [Double] = []
    private(set) var added: [AddedToken] = []
    /// The piece that stands for what cannot be written.
    var unknown: String?
    private var isHole: [Bool] = []
    private var table: PieceTable?

    init() {}

    init(_ vocab: JSONNode, added nodes: JSONNode?) throws(TokenizerError) {
        var byID: [(id: Int, piece: JSONNode)] = []
        byID.reserveCapacity(vocab.count)
        switch vocab.kind {
        case .object:
            for (key, value) in vocab.members { byID.append((try Self.id(value), key)) }
        case .array:
            for (id, entry) in vocab.elements.enumerated() {
                guard let piece = entry.element(at: 0), piece.kind == .string, let score = entry.element(at: 1)?.double
                else { throw TokenizerJSONReader.error("model.vocab", "entry \(id) must be a piece and a score") }
                byID.append((id, piece))
                scores.append(score.isFinite ? score : -1e9)
            }
        default: throw TokenizerJSONReader.error("model.vocab", "the vocabulary must be an object or an array")
        }
        try place(byID)
        try add(nodes)
    }

    private static func id(_ node: JSONNode) throws(TokenizerError) -> Int {
        guard let id = node.int, id >= 0, id < 1 << 24 else {
            throw TokenizerJSONReader.error("model.vocab", "a token ID must be a number from 0 to 16,777,215")
        }
        return Int(id)
    }

    /// Puts pieces in the order of their ids.
    private mutating func place(_ pieces: [(id: Int, piece: JSONNode)]) throws(TokenizerError) {
        let size = (pieces.map(\.id).max() ?? -1) + 1
        guard size <= pieces.count * 4 + 65_536 else {
            throw TokenizerJSONReader.error(
                "model.vocab", "token IDs go up to \(size - 1), but the token count is \(pieces.count)")
        }
        var places = [Int32](repeating: -1, count: size)
        for (index, entry) in pieces.enumerated() {
            guard places[entry.id] < 0 else {
                throw TokenizerJSONReader.error("model.vocab", "duplicate token ID \(entry.id)")
            }
            places[entry.id] = Int32(index)
        }
        strings.reserve(count: size, byteCount: size * 8)
        for place in places {
            isHole.append(place < 0)
            if place < 0 {
                strings.append([])
            } else if pieces[Int(place)].piece.withUTF8({ strings.append($0) }) == nil {
                strings.append([])
            }
        }
        table = PieceTable(strings)
    }

    /// Adds the tokens that are cut out of texts: known pieces, or new ones behind the rest.
    private mutating func add(_ nodes: JSONNode?) throws(TokenizerError) {
        guard let nodes, !nodes.isNull else { return }
        var later: [(id: Int, content: [UInt8])] = []
        for node in nodes.elements {
            guard let content = node["content"]?.string, let given = node["id"]?.int, given >= 0, given < 1 << 24 else {
                throw TokenizerJSONReader.error("added_tokens", "a token lacks its content or a valid ID")
            }
            let bytes = Array(content.utf8)
            let known = bytes.isEmpty ? -1 : table?.find(bytes) ?? -1
            var id = Int(known)
            if known < 0 {
                id = Int(given)
                if id < strings.count, !isHole[id] {
                    throw TokenizerJSONReader.error("added_tokens", "token ID \(id) already belongs to another token")
                }
                later.append((id, bytes))
            }
            var token = AddedToken(id: TokenID(id), content: bytes, isStructural: node["special"]?.bool ?? false)
            token.isSingleWord = node["single_word"]?.bool ?? false
            token.stripsLeft = node["lstrip"]?.bool ?? false
            token.stripsRight = node["rstrip"]?.bool ?? false
            token.isNormalized = node["normalized"]?.bool ?? !token.isStructural
            added.append(token)
        }
        try extend(by: later)
    }

    private mutating func extend(by later: [(id: Int, content: [UInt8])]) throws(TokenizerError) {
        guard let last = later.map(\.id).max() else { return }
        let size = max(last + 1, strings.count)
        guard size <= (strings.count + later.count) * 4 + 65_536 else {
            throw TokenizerJSONReader.error(
                "added_tokens", "token IDs go up to \(last), but the token count is \(strings.count)")
        }
        var contents: [Int: [UInt8]] = [:]
        for entry in later {
            guard contents.updateValue(entry.content, forKey: entry.id) == nil else {
                throw TokenizerJSONReader.error("added_tokens", "duplicate token ID \(entry.id)")
            }
        }
        var all = ByteStrings()
        all.reserve(count: size, byteCount: strings.bytes.count + later.count * 16)
        var holes = [Bool](repeating: true, count: size)
        for id in 0..<size {
            if let content = contents[id] {
                all.append(content)
                holes[id] = false
            } else if id < strings.count {
                all.append(strings[id])
                holes[id] = isHole[id]
            } else {
                all.append([])
            }
        }
        strings = all
        isHole = holes
        if !scores.isEmpty { scores += repeatElement(0, count: size - scores.count) }
        table = PieceTable(strings)
    }

    func id(of piece: String) -> TokenID? {
        guard !piece.isEmpty, let id = table?.find(piece), id >= 0 else { return nil }
        return id
    }

    var unknownID: TokenID { unknown.flatMap(id(of:)) ?? -1 }

    /// Kinds by id.
    ///
    /// - Parameter withBytes: `<0x0A>` and its like are bytes.
    func kinds(withBytes: Bool) -> [UInt8] {
        var kinds = isHole.map { $0 ? TokenKind.unused.rawValue : TokenKind.normal.rawValue }
        if withBytes {
            for byte in UInt8(0)...255 {
                if let id = table?.find(ByteToken.piece(of: byte)), id >= 0 { kinds[Int(id)] = TokenKind.byte.rawValue }
            }
        }
        for token in added {
            let kind: TokenKind = token.isStructural ? .control : .userDefined
            kinds[Int(token.id)] = kind.rawValue
        }
        let id = unknownID
        if id >= 0 { kinds[Int(id)] = TokenKind.unknown.rawValue }
        return kinds
    }

    var count: Int { strings.count }
}

/// Reads merges, which are strings with a space or pairs.
enum JSONMerges {
    static func read(_ merges: JSONNode, isRaw: Bool, into reader: MergeReader) throws(TokenizerError) {
        var written: [UInt8] = []
        var bytes: [UInt8] = []
        var rank = 0
        for merge in merges.elements {
            written.removeAll(keepingCapacity: true)
            bytes.removeAll(keepingCapacity: true)
            let middle: Int
            let right: Int
            if merge.kind == .string {
                merge.appendText(to: &written)
                guard let space = written.dropFirst().firstIndex(of: UInt8(ascii: " ")) else { throw broken(rank) }
                middle = space
                right = space + 1
            } else {
                guard merge.count == 2, let first = merge.element(at: 0), let second = merge.element(at: 1) else {
                    throw broken(rank)
                }
                first.appendText(to: &written)
                middle = written.count
                second.appendText(to: &written)
                right = middle
            }
            let left: Int
            if isRaw {
                left = written.withUnsafeBufferPointer { written in
                    let left = RawPieces.append(UnsafeBufferPointer(rebasing: written[..<middle]), to: &bytes)
                    _ = RawPieces.append(UnsafeBufferPointer(rebasing: written[right...]), to: &bytes)
                    return left
                }
            } else {
                bytes += written[..<middle]
                left = middle
                bytes += written[right...]
            }
            try reader.add(bytes, leftLength: left, rank: rank)
            rank += 1
        }
    }

    private static func broken(_ rank: Int) -> TokenizerError {
        TokenizerJSONReader.error("model.merges", "merge \(rank) must be two tokens")
    }
}

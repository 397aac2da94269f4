internal import Bytes
internal import Tokenizers

/// The indexed tokens on their way into rows of equal length.
struct TextBlocks: Equatable {
    /// Tokens of a row.
    static let capacity = 4096

    /// The number of the row that is filled now.
    private(set) var number = 0
    private(set) var tokens: [TokenID] = []
    /// Places in it at which sequences begin.
    private(set) var starts: [UInt16] = []
    /// Full rows that are not on the disk yet.
    private(set) var full: [(number: Int, text: [UInt8])] = []

    static func == (a: TextBlocks, b: TextBlocks) -> Bool {
        (a.number, a.tokens, a.starts) == (b.number, b.tokens, b.starts)
    }

    mutating func append(_ sequence: [TokenID]) {
        var first = 0
        while first < sequence.count {
            if first == 0 { starts.append(UInt16(tokens.count)) }
            let beyond = min(sequence.count, first + Self.capacity - tokens.count)
            tokens.append(contentsOf: sequence[first..<beyond])
            first = beyond
            if tokens.count == Self.capacity { close() }
        }
    }

    /// Ends the row that is being filled.
    mutating func close() {
        if tokens.isEmpty { return }
        full.append((number, TextBlock(tokens: tokens, starts: starts).bytes))
        number += 1
        tokens = []
        starts = []
    }

    /// Tokens of all rows.
    var count: Int { number * Self.capacity + tokens.count }

    mutating func removeFull() { full = [] }

    func write(to bytes: inout ByteWriter) {
        bytes.write(Int64(number))
        bytes.write(list: tokens)
        bytes.write(list: starts)
    }

    mutating func read(from bytes: inout ByteReader) throws(ByteDamage) {
        number = Int(try bytes.read(Int64.self))
        tokens = try bytes.list()
        starts = try bytes.list()
        guard 0..<1 << 32 ~= number, tokens.count < Self.capacity else { throw ByteDamage() }
    }
}

/// A row of indexed tokens.
struct TextBlock: Equatable {
    var tokens: [TokenID]
    /// Places at which sequences begin.
    var starts: [UInt16]

    init(tokens: [TokenID], starts: [UInt16]) {
        self.tokens = tokens
        self.starts = starts
    }

    var bytes: [UInt8] {
        var bytes = ByteWriter()
        bytes.write(list: tokens)
        bytes.write(list: starts)
        return bytes.bytes
    }

    init(_ reader: ByteReader) throws(ByteDamage) {
        var bytes = reader
        tokens = try bytes.list()
        starts = try bytes.list()
        guard bytes.isAtEnd, starts.allSatisfy({ $0 < tokens.count }) else { throw ByteDamage() }
    }
}

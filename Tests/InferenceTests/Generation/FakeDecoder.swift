import Inference
import Kernels
import LanguageModels
import Models
import Tokenizers

/// A model whose logits are a seeded function of all tokens of its sequence, which it reads back from the pages: what
/// shares or copies a page wrongly changes every token after it.
final class FakeDecoder: Decoder {
    let name = "fake"
    let vocabularySize: Int
    let contextLength: Int
    /// Tokens of every pass, segment by segment.
    private(set) var passes: [[Int]] = []
    /// Asked for in each pass, as a model does between its layers.
    private(set) var cancellationChecks = 0
    private let memory: AlignedBuffer<Float>

    static func layout() throws -> KVLayout { try KVLayout(layers: 2, kvHeads: 1, keyWidth: 1, valueWidth: 1) }

    init(vocabularySize: Int = 64, contextLength: Int = 4096) throws {
        self.vocabularySize = vocabularySize
        self.contextLength = contextLength
        memory = try AlignedBuffer(count: 512 * vocabularySize)
    }

    struct Rows: LogitRows {
        let rows: Int
        let vocabulary: Int
        let base: UnsafeMutablePointer<Float>
        subscript(row: Int) -> UnsafeMutableBufferPointer<Float> {
            UnsafeMutableBufferPointer(start: base + row * vocabulary, count: vocabulary)
        }
    }

    func forward(_ segments: [Segment], isCancelled: () -> Bool) throws(ModelError) -> any LogitRows {
        passes.append(segments.map(\.tokens.count))
        for segment in segments { try segment.cache.reserve(segment.tokens.count) }
        var rows = 0
        for layer in 0..<2 {
            cancellationChecks += 1
            if isCancelled() { throw ModelError(name, problem: "the forward pass was canceled") }
            for segment in segments { try write(segment, layer) }
        }
        for segment in segments {
            let (length, count) = (segment.cache.length, segment.tokens.count)
            let first = segment.outputs == .all ? 0 : segment.outputs == .last ? count - 1 : count
            for index in first..<count {
                logits(of: segment.cache.pages(layer: 1), positions: length + index + 1, into: rows)
                rows += 1
            }
        }
        for segment in segments { segment.cache.commit(segment.tokens.count) }
        return Rows(rows: rows, vocabulary: vocabularySize, base: memory.pointer)
    }

    private func write(_ segment: Segment, _ layer: Int) throws(ModelError) {
        let numbers = segment.tokens.map { Float($0) }
        do {
            try PagedAttention.append(
                keys: numbers, keyStride: 1, values: numbers, valueStride: 1, count: numbers.count,
                at: segment.cache.length, into: segment.cache.pages(layer: layer))
        } catch {
            throw ModelError(name, problem: error.sentence)
        }
    }

    private func logits(of pages: PagedKeyValues, positions: Int, into row: Int) {
        var state: UInt64 = 0
        for position in 0..<positions {
            let token = pages.key(head: 0, position: position)[0]
            precondition(token == pages.value(head: 0, position: position)[0])
            state = (state ^ UInt64(token + 1)) &* 0x9e37_79b9_7f4a_7c15
        }
        var random = SeededNumbers(seed: state)
        for id in 0..<vocabularySize { memory[row * vocabularySize + id] = random.next() * 6 }
    }
}

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014); sums of four, nearly normal, in -2 ..< 2.
struct SeededNumbers {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func bits() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func double() -> Double {
        (0..<4).reduce(-2.0) { sum, _ in sum + Double(bits() >> 40) * 0x1p-24 }
    }
    mutating func next() -> Float { Float(double()) }

    /// As the generator of the goldens makes them.
    static func logits(_ count: Int, seed: UInt64, spread: Double) -> [Float] {
        var numbers = SeededNumbers(seed: seed)
        return (0..<count).map { _ in Float(numbers.double() * spread) }
    }
}

/// Tokens as words of one letter; 60, 61 and 62 are the bytes of "€", 63 ends an answer.
struct FakeTexts: TokenTexts {
    var endOfGeneration: Set<TokenID> = []

    static func bytes(_ id: TokenID) -> [UInt8] {
        switch id {
        case 60...62: [[0xE2], [0x82], [0xAC]][Int(id) - 60]
        case 63: []
        default: [UInt8(65 + id % 60)]
        }
    }

    func text(of id: TokenID) -> String { String(decoding: Self.bytes(id), as: UTF8.self) }
    func stream() -> any TokenTextStream { Stream() }

    struct Stream: TokenTextStream {
        private var pending: [UInt8] = []

        mutating func append(_ id: TokenID) -> String {
            pending += FakeTexts.bytes(id)
            // A character of three bytes waits until it is whole, or cannot become so.
            let euro: [UInt8] = [0xE2, 0x82, 0xAC]
            if !pending.isEmpty, pending.count < 3, euro.starts(with: pending) { return "" }
            return finish()
        }

        mutating func finish() -> String {
            defer { pending = [] }
            return String(decoding: pending, as: UTF8.self)
        }
    }
}

/// A generator over the fake model, with pages for `positions` tokens.
struct FakeSession {
    let decoder: FakeDecoder
    let pool: KVPagePool
    let generator: Generator

    init(
        positions: Int = 4096, contextLength: Int = 4096, ends: Set<TokenID> = [], prefillChunk: Int = 512
    ) throws {
        decoder = try FakeDecoder(contextLength: contextLength)
        let layout = try FakeDecoder.layout()
        pool = KVPagePool(layout, budget: positions * layout.bytesPerPosition, name: "fake")
        generator = try Generator(
            decoder, texts: FakeTexts(endOfGeneration: ends), pool: pool, prefillChunk: prefillChunk)
    }
}

import Glibc
import Tensors
import TestFixtures
import Testing

/// Files with bytes changed, removed or repeated: each is read to its end, or refused by a sentence. They lie against
/// a page that cannot be read, so that one byte too far would end the test.
@Suite("Mutated tensor files")
struct MutationTests {
    @Test(
        "2,000 mutations of each format are read or refused",
        arguments: [
            FileGoldens.npy("f4"), FileGoldens.npz("deflated"), FileGoldens.npz("stored"), FileGoldens.npz("zip64"),
            FileGoldens.safetensors("kinds"),
        ])
    func mutations(path: String) throws {
        let original = try #require(File.bytes(path))
        let memory = try #require(GuardedMemory(capacity: 2 * original.count + 64))
        var random = SplitMix(state: UInt64(original.count))
        var refused = 0
        for _ in 0..<2_000 {
            let bytes = memory.place(random.mutated(original))
            do {
                let file = try TensorFile.open(MappedFile(memory: bytes, named: "mutated"))
                for name in file.names.prefix(16) {
                    _ = try file.entry(name)
                    let tensor = try file.tensor(named: name)
                    _ = try tensor.converted(to: Float.self).elements.count
                }
            } catch let error as TensorFileError {
                refused += 1
                #expect(error.sentence.hasSuffix("."))
            }
        }
        #expect(refused > 200)
    }
}

/// Memory whose end is followed by a page that faults.
private final class GuardedMemory {
    private let start: UnsafeMutableRawPointer
    private let capacity: Int

    init?(capacity: Int) {
        let page = Int(getpagesize())
        self.capacity = (capacity + page - 1) / page * page
        guard let memory = mmap(nil, self.capacity + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED, mprotect(memory + self.capacity, page, PROT_NONE) == 0
        else { return nil }
        start = memory
    }

    deinit { munmap(start, capacity + Int(getpagesize())) }

    func place(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        let place = start + (capacity - bytes.count)
        bytes.withUnsafeBytes { if let source = $0.baseAddress { place.copyMemory(from: source, byteCount: $0.count) } }
        return UnsafeRawBufferPointer(start: place, count: bytes.count)
    }
}

/// Steele, Lea and Flood's generator (OOPSLA 2014): independent of the one that this package tests.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// One to four faults of the kinds that files suffer.
    mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            let length = Int.random(in: 1...8, using: &self)
            let end = min(bytes.count, place + length)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &self)!
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4: bytes.removeSubrange(place...)
            default: for index in place..<end { bytes[index] = 0xFF }
            }
        }
        return bytes
    }
}

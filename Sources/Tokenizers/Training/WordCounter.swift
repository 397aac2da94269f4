import Hashing

/// How often each word occurs: byte strings in the order of their first occurrence, found by hash.
struct WordCounter {
    /// The bytes of all words, one after the other.
    private(set) var bytes: [UInt8] = []
    /// Where each word begins in `bytes`, and the end of the last.
    private(set) var starts: [Int] = [0]
    private(set) var counts: [Int] = []
    private var hashes: [UInt64] = []
    /// Word numbers by hash, -1 for a free slot; open addressing.
    private var slots = [Int32](repeating: -1, count: 1 << 12)

    /// The number of different words.
    var count: Int { counts.count }

    func word(_ index: Int) -> ArraySlice<UInt8> { bytes[starts[index]..<starts[index + 1]] }

    /// Counts a word. O(its length).
    mutating func add(_ word: UnsafeBufferPointer<UInt8>, times: Int = 1) throws(TrainingError) {
        guard let base = word.baseAddress else { return }
        let hash = Self.hash(word)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let candidate = Int(slots[slot])
            if hashes[candidate] == hash, equals(candidate, base, word.count) {
                counts[candidate] += times
                return
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        if counts.count >= Int(Int32.max) - 1 { throw .tooMuchText }
        slots[slot] = Int32(counts.count)
        bytes.append(contentsOf: word)
        starts.append(bytes.count)
        counts.append(times)
        hashes.append(hash)
        if counts.count * 2 > slots.count { grow() }
    }

    private func equals(_ index: Int, _ word: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let start = starts[index]
        guard starts[index + 1] - start == length else { return false }
        return bytes.withUnsafeBufferPointer { all in
            for offset in 0..<length where all[start + offset] != word[offset] { return false }
            return true
        }
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for index in counts.indices {
            var slot = Int(truncatingIfNeeded: hashes[index]) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(index)
        }
    }

    /// Eight bytes at a time, multiplied and folded.
    private static func hash(_ word: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let raw = UnsafeRawBufferPointer(word)
        var hash = UInt64(word.count) &* SplitMix64.gamma
        var offset = 0
        while offset + 8 <= word.count {
            mix(&hash, raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < word.count {
            rest = rest << 8 | UInt64(word[offset])
            offset += 1
        }
        mix(&hash, rest)
        return hash
    }

    private static func mix(_ hash: inout UInt64, _ value: UInt64) {
        let product = (hash ^ value).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        hash = product.high ^ product.low
    }
}

import Hashing

/// Ways of turning a text into a set: runs of words, or runs of characters.
///
/// Words are runs of letters and digits in lower case; each ideograph, and each letter of a script that puts no spaces,
/// is a word of its own. Characters are those of the words with one space between. A text that is shorter than a run
/// has one shingle: all of it. Shingles are known by 64-bit hashes.
///
/// Source: Broder, "On the resemblance and containment of documents", 1997.
public enum Shingling: Hashable, Sendable {
    /// Runs of a number of words.
    case words(Int)
    /// Runs of a number of characters.
    case characters(Int)

    /// Letters of a run.
    public var size: Int {
        switch self {
        case .words(let size), .characters(let size): min(max(size, 1), 64)
        }
    }

    /// Returns the hashes of a text's shingles in the order of the text; one that comes twice is there twice.
    public func hashes(of text: String) -> [UInt64] {
        var hashes: [UInt64] = []
        append(hashesOf: text, to: &hashes)
        return hashes
    }

    /// Adds the hashes of a text's shingles: nothing for a text without words.
    public func append(hashesOf text: String, to hashes: inout [UInt64]) {
        var text = text
        text.withUTF8 { bytes in
            switch self {
            case .words:
                let words = WordHashes.words(of: bytes)
                Self.appendRuns(of: words, size, to: &hashes)
            case .characters:
                let characters = WordHashes.characters(of: bytes)
                Self.appendRuns(of: characters, size, to: &hashes)
            }
        }
    }

    /// A run is Σ unit(i) · base^(size - 1 - i), mixed: the next run needs one product more, whatever the size.
    private static func appendRuns(of units: [UInt64], _ size: Int, to hashes: inout [UInt64]) {
        guard !units.isEmpty else { return }
        let length = min(size, units.count)
        hashes.reserveCapacity(hashes.count + units.count - length + 1)
        var leaving: UInt64 = 1
        for _ in 0..<length { leaving &*= base }
        var sum: UInt64 = 0
        units.withUnsafeBufferPointer { units in
            for index in 0..<units.count {
                sum = sum &* base &+ units[index]
                if index >= length { sum &-= units[index - length] &* leaving }
                // A short text must not look like a run of a longer one.
                if index + 1 >= length { hashes.append(WordHashes.mixed(sum &+ UInt64(length))) }
            }
        }
    }

    private static let base: UInt64 = SplitMix64.gamma
}

/// The exact Jaccard similarity of two sets of shingles: shared over all.
public enum Jaccard {
    /// Sorts hashes and takes out those that come twice: what ``similarity(_:_:)`` takes.
    public static func set(_ hashes: [UInt64]) -> [UInt64] {
        var sorted = hashes
        sorted.sort()
        var count = 0
        for index in sorted.indices where index == 0 || sorted[index] != sorted[index - 1] {
            sorted[count] = sorted[index]
            count += 1
        }
        sorted.removeLast(sorted.count - count)
        return sorted
    }

    /// - Parameters: Sorted, each hash once.
    /// - Returns: 0 if both are empty. O(a + b).
    public static func similarity(_ a: [UInt64], _ b: [UInt64]) -> Double {
        var (i, j, shared) = (0, 0, 0)
        while i < a.count, j < b.count {
            if a[i] == b[j] { shared += 1 }
            let (x, y) = (a[i], b[j])
            if x <= y { i += 1 }
            if y <= x { j += 1 }
        }
        let all = a.count + b.count - shared
        return all == 0 ? 0 : Double(shared) / Double(all)
    }
}

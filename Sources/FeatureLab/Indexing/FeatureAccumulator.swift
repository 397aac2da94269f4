internal import Glibc
internal import Interpretability
internal import System

/// Counts, histograms and examples of all features of a stream of tokens, in memory that does not grow with it.
///
/// What it holds is a function of the activations alone: examples of a stratum are those with the least keys, and keys
/// depend on seed, feature and position. So neither the size of blocks nor an interruption changes anything. Where the
/// maximum rises, strata that fall out of sight are joined, and the least keys of joined draws are a draw of both.
///
/// - Source: keys as in bottom-k sketches; Cohen & Kaplan, "Summarizing data using bottom-k sketches", PODC 2007.
final class FeatureAccumulator {
    let featureCount: Int
    let seed: UInt64
    let tallies: UnsafeMutablePointer<FeatureTally>
    let histograms: UnsafeMutablePointer<UInt32>
    /// The largest key of each full stratum; all others take any.
    let thresholds: UnsafeMutablePointer<UInt32>
    let slots: UnsafeMutablePointer<ExampleSlot>
    let contexts: UnsafeMutablePointer<Float>
    private var touched: [Int32] = []
    private var isTouched: [Bool]

    /// - Throws: An error if memory is short; pages are allocated as features use them.
    init(features: Int, seed: UInt64) throws(Problem) {
        featureCount = features
        self.seed = seed
        isTouched = [Bool](repeating: false, count: features)
        let parts = Self.parts.map { calloc(max(1, features), $0) }
        guard let first = parts[0], let second = parts[1], let third = parts[2], let fourth = parts[3],
            let fifth = parts[4]
        else {
            for part in parts { free(part) }
            throw Problem(
                .limit, "feature index", "not enough memory for \(features) features",
                remedy: "Free \(Self.bytes(features: features) >> 20) MiB.")
        }
        tallies = first.bindMemory(to: FeatureTally.self, capacity: features)
        histograms = second.bindMemory(to: UInt32.self, capacity: features * ActivationBins.count)
        thresholds = third.bindMemory(to: UInt32.self, capacity: features * ExampleLayout.strata)
        slots = fourth.bindMemory(to: ExampleSlot.self, capacity: features * ExampleLayout.slots)
        contexts = fifth.bindMemory(
            to: Float.self, capacity: features * ExampleLayout.slots * ExampleLayout.context)
        thresholds.update(repeating: .max, count: features * ExampleLayout.strata)
    }

    deinit {
        free(tallies)
        free(histograms)
        free(thresholds)
        free(slots)
        free(contexts)
    }

    /// Bytes of one feature in each of its tables.
    private static let parts = [
        MemoryLayout<FeatureTally>.stride, ActivationBins.count * 4, ExampleLayout.strata * 4,
        ExampleLayout.slots * MemoryLayout<ExampleSlot>.stride, ExampleLayout.slots * ExampleLayout.context * 4,
    ]

    /// Returns the bytes of memory needed for `features` features.
    static func bytes(features: Int) -> Int { features * parts.reduce(0, +) }

    /// Takes in whole sequences.
    ///
    /// - Parameters:
    ///   - base: Position of the first row in the whole stream.
    ///   - lengths: Lengths of the sequences, whose sum is the number of rows.
    func append(_ codes: SparseCodes, base: UInt32, lengths: [Int]) {
        codes.starts.withUnsafeBufferPointer { starts in
            codes.features.withUnsafeBufferPointer { features in
                codes.values.withUnsafeBufferPointer { values in
                    var first = 0
                    for length in lengths {
                        let sequence = base &+ UInt32(first)
                        for row in first..<first + length {
                            let position = base &+ UInt32(row)
                            for entry in starts[row]..<starts[row &+ 1] {
                                add(Int(features[entry]), values[entry], position, sequence)
                            }
                        }
                        first += length
                    }
                    gather(Rows(starts: starts, features: features, values: values), base, lengths)
                }
            }
        }
    }

    @inline(__always)
    private func add(_ feature: Int, _ value: Float, _ position: UInt32, _ sequence: UInt32) {
        let tally = tallies + feature
        tally.pointee.count &+= 1
        tally.pointee.total += Double(value)
        histograms[feature &* ActivationBins.count &+ ActivationBins.bin(value)] &+= 1
        if value > tally.pointee.maximum { raiseMaximum(feature, to: value) }
        let key = ExampleSlot.key(seed: seed, feature: feature, position: position)
        let depth = Int(tally.pointee.stratum &- ActivationBins.stratum(value))
        let stratum = min(depth, ExampleLayout.strata &- 1)
        if key < thresholds[feature &* ExampleLayout.strata &+ stratum] {
            draw(ExampleSlot(value: value, position: position, key: key), feature, stratum)
            touch(feature)
        }
        if value > tally.pointee.leastTop {
            insertTop(ExampleSlot(value: value, position: position, key: key), feature, sequence)
            touch(feature)
        }
    }

    private func touch(_ feature: Int) {
        if isTouched[feature] { return }
        isTouched[feature] = true
        touched.append(Int32(feature))
    }

    // Copies the activations around the retained slots of this block. It comes last because more slots are retained on
    // the way than in the end.
    private func gather(_ rows: Rows, _ base: UInt32, _ lengths: [Int]) {
        var ends: [Int] = []
        var end = 0
        for length in lengths {
            end += length
            ends.append(end)
        }
        for feature in touched {
            let feature = Int(feature)
            isTouched[feature] = false
            for index in feature * ExampleLayout.slots..<(feature + 1) * ExampleLayout.slots {
                let slot = slots[index]
                if slot.isEmpty || slot.position < base { continue }
                let row = Int(slot.position - base)
                let sequence = Self.first(ends, above: row)
                rows.copy(
                    feature, around: row, in: (ends[sequence] - lengths[sequence])..<ends[sequence],
                    to: contexts + index * ExampleLayout.context)
            }
        }
        touched.removeAll(keepingCapacity: true)
    }

    private static func first(_ ends: [Int], above row: Int) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > row { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Rows of codes as memory.
    private struct Rows {
        let starts: UnsafeBufferPointer<Int>
        let features: UnsafeBufferPointer<Int32>
        let values: UnsafeBufferPointer<Float>

        func copy(_ feature: Int, around row: Int, in sequence: Range<Int>, to context: UnsafeMutablePointer<Float>) {
            for offset in 0..<ExampleLayout.context {
                let other = row + offset - ExampleLayout.radius
                context[offset] = sequence.contains(other) ? value(feature, other) : ExampleLayout.outside
            }
        }

        private func value(_ feature: Int, _ row: Int) -> Float {
            var (low, high) = (starts[row], starts[row + 1])
            let wanted = Int32(feature)
            while low < high {
                let middle = (low + high) / 2
                if features[middle] < wanted { low = middle + 1 } else { high = middle }
            }
            return low < starts[row + 1] && features[low] == wanted ? values[low] : 0
        }
    }
}

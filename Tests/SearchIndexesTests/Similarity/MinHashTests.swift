import Kernels
import SearchIndexes
import Testing

@Suite("MinHash")
struct MinHashTests {
    @Test("near-duplicates are found")
    func example() {
        var index = MinHashIndex(MinHashSettings(threshold: 0.5, shingling: .words(2)))
        let text = "the dome of the small telescope turns once in four minutes and stops by itself at night"
        #expect(index.add(text, label: 1).isEmpty)
        #expect(index.add("tickets are sold at the gate from nine to five on all days but Monday", label: 2).isEmpty)
        let pairs = index.add(text.replacing("four", with: "five"), label: 3)
        #expect(pairs.map { [$0.first, $0.second] } == [[1, 3]])
        #expect(index.similar(to: text).map(\.label) == [1, 3])
        #expect(index.count == 3)
    }

    @Test("signatures match the scalar twin on every path", arguments: MinHashKernel.Path.allCases)
    func twin(path: MinHashKernel.Path) throws {
        if !path.isAvailable { try Test.cancel("\(path) is not available on this machine") }
        for lanes in [16, 48, 64, 80, 128] {
            var random = SeededWords(state: UInt64(lanes))
            let kernel = MinHashKernel(words: (0..<3 * lanes).map { _ in UInt32(truncatingIfNeeded: random.next()) })
            #expect(kernel.lanes == lanes)
            for count in [0, 1, 2, 7, 50] {
                let elements = (0..<count).map { _ in random.next() }
                var minima = [UInt32](repeating: .max, count: lanes)
                minima.withUnsafeMutableBufferPointer { minima in
                    elements.withUnsafeBufferPointer { kernel.lower(minima.baseAddress!, to: $0, path: path) }
                }
                for lane in 0..<lanes {
                    let hashes = elements.map { element -> UInt32 in
                        let m = (UInt32(truncatingIfNeeded: element) ^ kernel.keys[lane]) &* kernel.keys[lanes + lane]
                        return ((m ^ m >> 15) &+ UInt32(element >> 32)) &* kernel.keys[2 * lanes + lane]
                    }
                    #expect(minima[lane] == hashes.min() ?? .max)
                }
            }
        }
    }

    @Test(
        "the estimate of the Jaccard similarity is unbiased, with the deviation of independent functions",
        arguments: [
            0.1, 0.3, 0.5, 0.8, 0.95,
        ])
    func estimate(similarity: Double) throws {
        var random = SeededWords(state: 5)
        var (sum, squares) = (0.0, 0.0)
        let trials = 150
        let shared = Int((200 * similarity / (1 + similarity) * 2).rounded())
        let truth = Double(shared) / Double(400 - shared)
        for trial in 0..<trials {
            let hasher = MinHasher(MinHashSettings(seed: UInt64(trial % 10)))
            // Small numbers in a row: the hardest elements for a weak hash function.
            let start = random.next() >> 20
            let a = (0..<200).map { start + UInt64($0) }
            let b = (0..<200).map { start + UInt64($0 + 200 - shared) }
            let estimate = try #require(hasher.signature(of: a)).similarity(to: #require(hasher.signature(of: b)))
            sum += estimate
            squares += (estimate - truth) * (estimate - truth)
        }
        let deviation = (truth * (1 - truth) / 128).squareRoot()
        #expect(abs(sum / Double(trials) - truth) < 5 * deviation / Double(trials).squareRoot())
        #expect((squares / Double(trials)).squareRoot() < 1.3 * deviation)
    }

    @Test(
        "bands match datasketch",
        arguments: [
            (0.3, 128, 0.5, 37, 3), (0.5, 64, 0.5, 14, 4), (0.5, 128, 0.5, 25, 5), (0.5, 256, 0.5, 42, 6),
            (0.7, 128, 0.5, 14, 9), (0.8, 128, 0.5, 9, 13), (0.5, 128, 0.75, 26, 4), (0.7, 128, 0.75, 18, 7),
        ])
    func bands(threshold: Double, permutations: Int, missWeight: Double, bands: Int, rows: Int) {
        let banding = Banding(threshold: threshold, permutations: permutations, missWeight: missWeight)
        #expect(banding == Banding(bands: bands, rows: rows))
    }

    @Test("sets collide in a band as often as the formula predicts")
    func meeting() {
        let banding = Banding(bands: 20, rows: 5)
        #expect(banding.probability(of: 0.8) > 0.999 && abs(banding.probability(of: 0.4) - 0.186) < 0.001)
        #expect(banding.probability(of: 0) == 0 && banding.probability(of: 1) == 1)
    }

    @Test(
        "candidates include at least .93 of the pairs with a similarity of at least half")
    func recall() {
        var random = SeededWords(state: 9)
        var documents = (0..<300).map { _ in (0..<100).map { _ in "w\(random.next() % 3_000)" } }
        for index in 0..<400 {
            let rate = 1 + UInt64(index % 12)
            documents.append(
                documents[index % 300].map { random.next() % 100 < rate ? "x\(random.next() % 3_000)" : $0 })
        }
        let texts = documents.map { $0.joined(separator: " ") }
        let sets = texts.map { Jaccard.set(Shingling.words(5).hashes(of: $0)) }
        var index = MinHashIndex(MinHashSettings(threshold: 0.5))
        var candidates: Set<SimilarPair> = []
        for (label, text) in texts.enumerated() {
            for other in index.candidates(of: text) {
                candidates.insert(SimilarPair(other, Int64(label), similarity: 0))
            }
            index.add(text, label: Int64(label))
        }
        var (similar, found) = (0, 0)
        for i in sets.indices {
            for j in 0..<i where Jaccard.similarity(sets[i], sets[j]) >= 0.5 {
                similar += 1
                if candidates.contains(SimilarPair(Int64(i), Int64(j), similarity: 0)) { found += 1 }
            }
        }
        #expect(similar > 200)
        #expect(Double(found) >= 0.93 * Double(similar), "\(found) of \(similar)")
    }

    @Test("batches are added like single texts; texts can be replaced and removed")
    func incremental() {
        let texts = (0..<200).map { (label: Int64($0), text: Self.text(UInt64($0 % 50))) }
        var batched = MinHashIndex()
        let pairs = batched.add(texts, pool: ThreadPool(threads: 2))
        var single = MinHashIndex()
        #expect(texts.flatMap { single.add($0.text, label: $0.label) } == pairs)
        #expect(pairs.count == 50 * 6 && pairs.allSatisfy { $0.similarity == 1 })
        #expect(batched.similar(to: Self.text(3)).map(\.label) == [3, 53, 103, 153])
        batched.remove(3)
        batched.remove(3)
        #expect(batched.similar(to: Self.text(3)).map(\.label) == [53, 103, 153])
        batched.add(Self.text(1_000), label: 53)
        #expect(batched.similar(to: Self.text(3)).map(\.label) == [103, 153])
        #expect(batched.count == 199 && batched.signature(of: 3) == nil)
        #expect(batched.add("…", label: 9).isEmpty && batched.count == 199)
    }

    private static func text(_ seed: UInt64) -> String {
        var random = SeededWords(state: seed)
        return (0..<40).map { _ in "w\(random.next() % 10_000)" }.joined(separator: " ")
    }
}

/// SplitMix64: words for tests.
struct SeededWords {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}

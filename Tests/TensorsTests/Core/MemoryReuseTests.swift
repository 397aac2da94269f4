import Kernels
import Synchronization
import Tensors
import Testing

@Suite("Memory that tensors hand on")
struct MemoryReuseTests {
    /// A size that no other test has.
    private static let count = 100_003
    /// Other tests keep memory too at the same time: theirs shall not fill the limit.
    private static let limit = 1 << 40

    private func place(of tensor: Tensor<Float>) throws(TensorError) -> UInt {
        try tensor.withElements { UInt(bitPattern: $0.baseAddress) }
    }

    /// Where a new tensor lies that is gone now.
    private func place(_ count: Int, filledWith number: Float) throws(TensorError) -> UInt {
        let tensor = try Tensor<Float>(repeating: number, shape: [count])
        return try place(of: tensor)
    }

    /// Whether a tensor holds this number alone.
    private func isAll(_ tensor: Tensor<Float>, _ number: Float) -> Bool {
        (try? tensor.minimum().scalar) == number && (try? tensor.maximum().scalar) == number
    }

    @Test("the next tensor of the same size gets it, and one of another size does not")
    func handedOn() throws {
        try MemoryReuse.during(limit: Self.limit) { () throws(TensorError) in
            let first = try place(Self.count, filledWith: 1)
            let other = try place(Self.count + 1000, filledWith: 2)
            #expect(other != first)
            #expect(try place(Self.count, filledWith: 3) == first)
        }
    }

    @Test("two live tensors have two blocks, and nested calls share kept blocks")
    func nested() throws {
        try MemoryReuse.during(limit: Self.limit) { () throws(TensorError) in
            let first = try Tensor<Float>(repeating: 1, shape: [Self.count + 2000])
            let place = try place(of: first)
            let inner = try MemoryReuse.during(limit: Self.limit) { () throws(TensorError) in
                try self.place(Self.count + 2000, filledWith: 2)
            }
            #expect(inner != place)
            // The inner call did not give back what the outer one goes on with.
            #expect(try self.place(Self.count + 2000, filledWith: 3) == inner)
            #expect(isAll(first, 1))
        }
    }

    @Test("new tensors have the requested values, whatever the memory contained")
    func contents() throws {
        try MemoryReuse.during(limit: Self.limit) { () throws(TensorError) in
            let size = Self.count + 3000
            let before = try place(size, filledWith: .nan)
            let zeros = try Tensor<Float>(repeating: 0, shape: [size])
            #expect(try place(of: zeros) == before)
            #expect(isAll(zeros, 0))
        }
    }

    @Test("threads that make and drop tensors at once never share a place")
    func concurrent() throws {
        let faults = Atomic(0)
        MemoryReuse.during(limit: Self.limit) {
            ThreadPool(threads: 4).run(chunks: 64) { chunk, _ in
                for turn in 0..<20 {
                    let number = Float(chunk * 100 + turn)
                    guard let tensor = try? Tensor<Float>(repeating: number, shape: [16_384 + chunk % 3]),
                        let again = try? tensor + 1, isAll(tensor, number), isAll(again, number + 1)
                    else {
                        faults.add(1, ordering: .relaxed)
                        continue
                    }
                }
            }
        }
        #expect(faults.load(ordering: .relaxed) == 0)
    }

    @Test("an error passes through, and ends it too")
    func errors() throws {
        let problem = TensorError("test", problem: "ends here")
        #expect(throws: problem) {
            try MemoryReuse.during(limit: Self.limit) { () throws(TensorError) in throw problem }
        }
    }

    /// A pointer that is never dereferenced.
    private func block(_ number: Int) throws -> UnsafeMutableRawPointer {
        try #require(UnsafeMutableRawPointer(bitPattern: number << 20))
    }

    @Test("blocks are kept up to the limit, and only while reuse is on")
    func limits() throws {
        var kept = KeptBlocks()
        var answers = [try kept.give(block(1), 100)]
        kept.begin(limit: 250)
        for (number, bytes) in [(1, 100), (2, 100), (3, 100), (4, 50)] {
            answers.append(try kept.give(block(number), bytes))
        }
        #expect(answers == [false, true, true, false, true])
        #expect(kept.bytes == 250)
        let taken = [kept.take(100), kept.take(99), kept.take(100), kept.take(100)]
        #expect(taken == [try block(2), nil, try block(1), nil])
        #expect(kept.bytes == 50)
        let isKept = try kept.give(block(3), 200)
        #expect(isKept)
    }

    @Test("the last caller to end gives back, and the largest limit holds until then")
    func callers() throws {
        var kept = KeptBlocks()
        kept.begin(limit: 100)
        kept.begin(limit: 300)
        var answers = [try kept.give(block(1), 200), kept.end(), try kept.give(block(2), 100)]
        #expect(answers == [true, false, true])
        #expect(try Set(kept.all) == [block(1), block(2)])
        answers = [kept.end(), try kept.give(block(3), 1)]
        #expect(answers == [true, false])
        #expect(kept.all.isEmpty && kept.bytes == 0)
        // What was asked for then is forgotten.
        kept.begin(limit: 10)
        answers = [try kept.give(block(1), 200)]
        #expect(answers == [false])
    }
}

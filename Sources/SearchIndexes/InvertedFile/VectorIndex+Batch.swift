internal import Kernels
internal import Synchronization

extension VectorIndex {
    /// Many queries at once: what ``search(_:_:)`` finds for each, whatever the number of threads.
    ///
    /// - Parameters:
    ///   - queries: `[count, dimension]`.
    ///   - threads: How many may work at once.
    public func search(
        batch queries: UnsafePointer<Float>, count: Int, _ request: VectorRequest, threads: Int
    ) throws(SegmentError) -> [[Neighbor]] {
        guard count > 0 else { return [] }
        let failure = Mutex<SegmentError?>(nil)
        let found = [[Neighbor]](unsafeUninitializedCapacity: count) { found, initialized in
            found.initialize(repeating: [])
            nonisolated(unsafe) let (places, queries) = (found.baseAddress!, queries)
            InMemory.pool(threads).run(chunks: (count + 7) / 8) { chunk, _ in
                for query in chunk * 8..<min(count, chunk * 8 + 8) {
                    do throws(SegmentError) {
                        places[query] = try search(queries + query * rows.dimension, request)
                    } catch {
                        failure.withLock { $0 = error }
                    }
                }
            }
            initialized = count
        }
        if let error = failure.withLock({ $0 }) { throw error }
        return found
    }
}

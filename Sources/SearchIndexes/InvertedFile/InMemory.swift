internal import Kernels

/// Memory and threads for indexes, with errors in their words.
enum InMemory {
    static func buffer<Element: BitwiseCopyable>(
        of _: Element.Type, count: Int, for place: String
    ) throws(SegmentError) -> AlignedBuffer<Element> {
        do { return try AlignedBuffer(count: count) } catch {
            throw .memory(
                place, bytes: count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride).partialValue)
        }
    }

    static func panels(
        _ centers: [Float], count: Int, dimension: Int, isInnerProduct: Bool
    ) throws(SegmentError) -> CenterPanels {
        do {
            return try CenterPanels(centers, count: count, dimension: dimension, isInnerProduct: isInnerProduct)
        } catch { throw .memory("centers", bytes: centers.count * 4) }
    }

    /// Threads for one piece of work; the shared ones where they are as many.
    static func pool(_ threads: Int) -> ThreadPool {
        if threads <= 1 { return .single }
        return threads == ThreadPool.shared.threads ? .shared : ThreadPool(threads: threads)
    }
}

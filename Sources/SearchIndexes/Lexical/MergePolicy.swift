/// Which segments become one: those of about the same size, when there are many, so that each posting is written again
/// only when it comes into a larger tier.
enum MergePolicy {
    /// Segments of one tier that become one.
    static let width = 8
    /// The lowest tier: bytes.
    private static let smallest = 128 << 10
    /// No merged segment is larger: bytes.
    private static let largest = 256 << 20

    /// Returns the indexes of segments to merge, in order; `nil` if there is nothing to do.
    static func next(_ segments: [LiveSegment]) -> [Int]? {
        // A segment of which most documents are gone is made smaller by itself.
        if let sparse = segments.firstIndex(where: { 2 * $0.removed.count > $0.segment.documentCount }) {
            return [sparse]
        }
        var tiers: [Int: [Int]] = [:]
        for (index, live) in segments.enumerated() {
            var tier = 0
            var size = smallest
            while live.segment.byteCount > size {
                size *= width
                tier += 1
            }
            tiers[tier, default: []].append(index)
        }
        for tier in tiers.keys.sorted() where tiers[tier]!.count >= width {
            var bytes = 0
            var documents = 0
            var taken: [Int] = []
            for index in tiers[tier]! {
                bytes += segments[index].segment.byteCount
                documents += segments[index].liveCount
                guard bytes <= largest, documents <= LexicalSegment.documentLimit else { break }
                taken.append(index)
            }
            if taken.count > 1 { return taken }
        }
        return nil
    }
}

/// How two partial results become one.
enum Combination {
    case sum, product, maximum, minimum
}

/// What an element contributes, given the center of its row.
enum Term {
    case value, squaredDeviation, exponential
}

/// A reduction of some axes of a tensor to one number each.
///
/// Its order is a binary tree that only the number of reduced elements decides: leaves of 128 elements, in the order
/// of their indices, are halved until one is left, and then leaves are joined two by two. Neither the number of
/// threads, nor how the tensor is in memory, nor what else is reduced next to it changes a bit of the result; the
/// error grows with the logarithm of the count.
struct Reduction<Scalar: NumericScalar> {
    typealias Accumulator = Scalar.Accumulator

    let combination: Combination
    let term: Term
    /// The shape of the result, without the reduced axes.
    let shape: [Int]
    /// Elements that each result is made of.
    let length: Int
    let outputs: Int
    private let name: String
    private let tensor: Tensor<Scalar>
    /// From one result to the next: where its elements begin.
    private let kept: Walk
    private let reduced: ReducedAxes

    static var leaf: Int { 128 }
    /// Results that are made side by side where they are neighbors in memory.
    static var tile: Int { 256 }

    init(
        _ tensor: Tensor<Scalar>, axes: [Int], _ combination: Combination, of term: Term = .value, for name: String
    ) {
        let remaining = tensor.shape.indices.filter { !axes.contains($0) }
        shape = remaining.map { tensor.shape[$0] }
        outputs = shape.reduce(1, *)
        kept = Walk(shape, remaining.map { tensor.strides[$0] }, Shape.strides(shape))
        let inOrder = axes.sorted()
        reduced = ReducedAxes(inOrder.map { tensor.shape[$0] }, inOrder.map { tensor.strides[$0] })
        length = reduced.count
        self.tensor = tensor
        self.combination = combination
        self.term = term
        self.name = name
    }

    private var isSideBySide: Bool { kept.row.a == 1 && kept.length >= 8 && reduced.stride != 1 }

    /// The results, one after the other.
    ///
    /// - Parameter centers: one a result, for the terms that need them.
    func run(centers: UnsafePointer<Accumulator>? = nil) throws(TensorError) -> Scratch<Accumulator> {
        let leaves = max(1, (length + Self.leaf - 1) / Self.leaf)
        let leavesOfChunk = isSideBySide ? 16 : 512
        let chunks = (leaves + leavesOfChunk - 1) / leavesOfChunk
        let (needed, overflow) = outputs.multipliedReportingOverflow(by: chunks)
        let partials = try Scratch<Accumulator>(overflow ? .max : needed, for: name)
        for chunk in 0..<chunks {
            let first = chunk * leavesOfChunk
            // Chunks of one long row are shared by threads below, results that are many are shared here.
            if outputs > 1 || chunks == 1 { fill(partials, chunk, first..<min(leaves, first + leavesOfChunk), centers) }
        }
        if outputs == 1, chunks > 1 {
            ThreadedChunks.run(chunks) { chunk in
                let first = chunk * leavesOfChunk
                fill(partials, chunk, first..<min(leaves, first + leavesOfChunk), centers)
            }
        }
        join(partials.pointer, 0..<chunks)
        withExtendedLifetime(tensor) {}
        return partials
    }

    /// The part of every result that these leaves give.
    private func fill(
        _ partials: Scratch<Accumulator>, _ chunk: Int, _ leaves: Range<Int>, _ centers: UnsafePointer<Accumulator>?
    ) {
        let results = partials.pointer + chunk * outputs
        let grain = max(isSideBySide ? Self.tile : 1, (1 << 16) / max(1, leaves.count * Self.leaf))
        kept.forEachRow(grain: grain) { place, count in
            let loops = ReductionLoops<Scalar>(
                source: tensor.base + place.a, axes: reduced, combination: combination, term: term)
            let centers = centers.map { $0 + place.b }
            if isSideBySide {
                for start in stride(from: 0, to: count, by: Self.tile) {
                    loops.columns(
                        start, min(Self.tile, count - start), leaves, into: results + place.b + start,
                        centers: centers.map { $0 + start })
                }
            } else {
                loops.rows(
                    count, apart: kept.row.a, leaves, into: results + place.b, apart: kept.row.b, centers: centers)
            }
        }
    }

    /// Joins the parts of these chunks in those of the first, split where a power of two is.
    private func join(_ partials: UnsafeMutablePointer<Accumulator>, _ chunks: Range<Int>) {
        if chunks.count < 2 { return }
        let middle = chunks.lowerBound + Tree.split(chunks.count)
        join(partials, chunks.lowerBound..<middle)
        join(partials, middle..<chunks.upperBound)
        ReductionLoops<Scalar>.combine(
            combination, partials + chunks.lowerBound * outputs, with: partials + middle * outputs, outputs)
    }
}

/// Where a tree over `count` things is split: at the largest power of two below it.
enum Tree {
    static func split(_ count: Int) -> Int { 1 << (Int.bitWidth - 1 - (count - 1).leadingZeroBitCount) }
}

/// The axes that a reduction runs over, joined where they continue each other, and where their elements lie.
struct ReducedAxes {
    /// Distance between neighbors where all elements are one row; `nil` if they are not.
    private(set) var stride: Int?
    let count: Int
    private let length: Int
    private let step: Int
    private let sizes: [Int]
    private let strides: [Int]

    init(_ shape: [Int], _ strides: [Int]) {
        count = shape.reduce(1, *)
        var joined: [(size: Int, stride: Int)] = []
        for (size, stride) in zip(shape, strides) where size != 1 {
            if let last = joined.last, last.stride == stride * size {
                joined[joined.count - 1] = (last.size * size, stride)
            } else {
                joined.append((size, stride))
            }
        }
        (length, step) = joined.popLast() ?? (1, 1)
        sizes = joined.map(\.size)
        self.strides = joined.map(\.stride)
        stride = joined.isEmpty ? step : nil
    }

    /// One contiguous row.
    init(row count: Int) {
        self.count = count
        (length, step, sizes, strides, stride) = (count, 1, [], [], 1)
    }

    /// Where the elements from `first` on lie.
    func offsets(from first: Int, _ count: Int, into offsets: UnsafeMutablePointer<Int>) {
        var done = 0
        while done < count {
            var row = 0
            let column: Int
            (row, column) = (first + done).quotientAndRemainder(dividingBy: length)
            var place = column * step
            for axis in sizes.indices.reversed() {
                place += row % sizes[axis] * strides[axis]
                row /= sizes[axis]
            }
            let part = min(count - done, length - column)
            for i in 0..<part { offsets[done + i] = place + i * step }
            done += part
        }
    }
}

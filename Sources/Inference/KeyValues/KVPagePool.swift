internal import Formatting
internal import Kernels
internal import Models
internal import Synchronization

/// Pages of keys and values that the sequences of one model share, within a budget.
///
/// ```swift
/// let pool = KVPagePool(try KVLayout(layers: 22, kvHeads: 4, keyWidth: 64, valueWidth: 64), budget: 1 << 30)
/// let sequence = KVSequence(pool)
/// let branch = sequence.branch()      // no page is copied until one of them writes into it
/// ```
///
/// Memory is asked for when pages are, and kept for the next sequence. Counts may be read from any thread.
public final class KVPagePool: Sendable {
    public let layout: KVLayout
    /// Bytes that pages may take.
    public let budget: Int
    /// Name of the pool in error messages.
    public let name: String

    /// A page's number in its pool.
    typealias Page = Int

    private struct State {
        var slabs: [AlignedBuffer<Float>] = []
        /// References of each page that was ever handed out; 0 for those that are free.
        var references: [Int32] = []
        var free: [Page] = []
        var used = 0
        var peak = 0
        var shared = 0
        /// Entries of the tables of all sequences: what the references of all pages sum to.
        var entries = 0
    }
    private let state = Mutex(State())

    /// - Parameters:
    ///   - budget: Maximum bytes of all pages.
    ///   - name: Name of the model, for error messages.
    public init(_ layout: KVLayout, budget: Int, name: String = "the key-value cache") {
        self.layout = layout
        self.budget = budget
        self.name = name
    }

    /// Current and peak use of the pool.
    public struct Counts: Hashable, Sendable {
        /// Pages that some sequence holds.
        public var used: Int
        /// Pages with more than one reference.
        public var shared: Int
        /// The most that were used at once.
        public var peak: Int
        /// Pages that the budget has room for.
        public var limit: Int
        /// Bytes that were asked of the system; free pages are kept.
        public var allocatedBytes: Int
    }

    public var counts: Counts {
        state.withLock { state in
            Counts(
                used: state.used, shared: state.shared, peak: state.peak, limit: limit,
                allocatedBytes: state.slabs.reduce(0) { $0 + $1.byteCount })
        }
    }

    private var limit: Int { budget / layout.bytesPerPage }

    /// Pages of one request to the system: about 4 MiB of them.
    private var pagesPerSlab: Int { max(1, min(64, (4 << 20) / layout.bytesPerPage)) }

    /// Returns `count` pages with one reference each.
    ///
    /// - Throws: `ModelError` if the budget or the memory is exhausted; no page is taken then.
    func take(_ count: Int) throws(ModelError) -> [Page] {
        try state.withLock { state throws(ModelError) in
            guard state.used + count <= limit else { throw noRoom(for: count, used: state.used) }
            while state.free.count < count {
                let slab: AlignedBuffer<Float>
                let pages = min(pagesPerSlab, limit - state.references.count)
                do {
                    slab = try AlignedBuffer(count: pages * layout.floatsPerPage)
                } catch {
                    throw ModelError(
                        name, problem: "out of memory for \(count) more pages of keys and values",
                        remedy: "Close another model or branch, or use a shorter context.")
                }
                let first = state.references.count
                state.slabs.append(slab)
                state.references += Array(repeating: 0, count: pages)
                state.free += (first..<first + pages).reversed()
            }
            let pages = Array(state.free.suffix(count).reversed())
            state.free.removeLast(count)
            for page in pages { state.references[page] = 1 }
            state.used += count
            state.entries += count
            state.peak = max(state.peak, state.used)
            check(state)
            return pages
        }
    }

    /// Adds one reference to each page.
    func retain(_ pages: some Sequence<Page>) {
        state.withLock { state in
            for page in pages {
                state.references[page] += 1
                state.entries += 1
                if state.references[page] == 2 { state.shared += 1 }
            }
            check(state)
        }
    }

    /// Removes one reference from each page; a page without references is free.
    func release(_ pages: some Sequence<Page>) {
        state.withLock { state in
            for page in pages {
                state.references[page] -= 1
                state.entries -= 1
                if state.references[page] == 1 { state.shared -= 1 }
                guard state.references[page] == 0 else { continue }
                state.free.append(page)
                state.used -= 1
            }
            check(state)
        }
    }

    /// Returns the number of sequences that use each page.
    func owners(_ pages: some Sequence<Page>) -> [Int] {
        state.withLock { state in pages.map { Int(state.references[$0]) } }
    }

    /// Returns the memory of a page, `layout.floatsPerPage` numbers, which does not move.
    func memory(_ page: Page) -> UnsafeMutablePointer<Float> {
        state.withLock { state in
            // All slabs but the last are of the same size.
            state.slabs[page / pagesPerSlab].pointer + page % pagesPerSlab * layout.floatsPerPage
        }
    }

    private func noRoom(for count: Int, used: Int) -> ModelError {
        ModelError(
            name,
            problem:
                "\(count) more \(count == 1 ? "page" : "pages") of \(layout.pageSize) positions \(count == 1 ? "is" : "are") needed, but \(used) of the \(limit) pages in the "
                + "budget of \(Format.bytes(budget)) are in use",
            remedy: "Close a branch, use a shorter context, or raise the budget.")
    }

    /// Checks in debug builds that all counts are consistent.
    private func check(_ state: State) {
        assert(Self.faults(state).isEmpty, Self.faults(state).joined(separator: "; "))
    }

    private static func faults(_ state: State) -> [String] {
        let references = state.references
        let checks: [(Bool, String)] = [
            (references.allSatisfy { $0 >= 0 }, "a page was released too many times"),
            (references.count { $0 > 0 } == state.used, "the number of used pages is wrong"),
            (references.count { $0 > 1 } == state.shared, "the number of shared pages is wrong"),
            (
                references.reduce(0) { $0 + Int($1) } == state.entries,
                "the reference counts differ from the table entries"
            ),
            (state.free.count + state.used == references.count, "a page is neither free nor used"),
            (Set(state.free).count == state.free.count, "a page is in the free list twice"),
            (state.free.allSatisfy { references[$0] == 0 }, "a free page has references"),
        ]
        return checks.filter { !$0.0 }.map(\.1)
    }

    /// Returns inconsistencies between the counts and the tables of all live sequences; empty if there are none.
    package func faults(_ sequences: [KVSequence]) -> [String] {
        let tables = sequences.reduce(0) { $0 + $1.pageCount }
        return state.withLock { state in
            Self.faults(state)
                + (tables == state.entries ? [] : ["tables have \(tables) entries, but the count is \(state.entries)"])
        }
    }
}

internal import Tensors

/// Which sequence or example has its turn: a function of the seed and a number, without any state.
///
/// Every epoch has an order of its own, drawn from a stream of Philox that its number names.
struct DataOrder {
    let count: Int
    let isShuffled: Bool
    private let seed: UInt64
    private var epoch = -1
    private var order: [Int32] = []

    init(count: Int, isShuffled: Bool, seed: UInt64) {
        self.count = count
        self.isShuffled = isShuffled
        // Weights and dropout draw from the same seed: another key keeps them apart.
        var key = Digest()
        key.update("order of the data")
        key.update(seed)
        self.seed = key.value
    }

    /// Item and epoch of the `number`th turn of the whole run.
    mutating func item(_ number: Int) -> (item: Int, epoch: Int) {
        let epoch = number / count
        let place = number % count
        guard isShuffled else { return (place, epoch) }
        if epoch != self.epoch {
            var random = PhiloxGenerator(seed: seed, stream: UInt32(truncatingIfNeeded: epoch))
            order = random.permutation(count).map { Int32(truncatingIfNeeded: $0) }
            self.epoch = epoch
        }
        return (Int(order[place]), epoch)
    }

    /// A number below `bound` that belongs to an epoch.
    func offset(epoch: Int, below bound: Int) -> Int {
        guard isShuffled, bound > 1 else { return 0 }
        var random = PhiloxGenerator(seed: seed, stream: UInt32(truncatingIfNeeded: epoch), position: 1 << 60)
        return random.integer(in: 0..<bound)
    }
}

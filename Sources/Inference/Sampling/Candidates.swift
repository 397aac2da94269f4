internal import Kernels
internal import Models
public import Tokenizers

/// The tokens that may come next, with their logits: all of the vocabulary at first, then the few that are left.
///
/// At first all are candidates, and their logits are a whole row; once a processor has chosen, those that are left are
/// listed by id. Memory is kept for the next row.
public final class Candidates {
    public let vocabularySize: Int
    /// The row while `isDense`.
    var row: UnsafeMutablePointer<Float>
    /// Remaining tokens, in the order of ids, with their logits; unused while `isDense`.
    var ids: [TokenID] = []
    var logits: [Float] = []
    var isDense = true

    /// Probabilities of the row, or of `logits`.
    let probabilities: AlignedBuffer<Float>
    /// The row that processors write, once one is needed.
    private var own: AlignedBuffer<Float>?
    /// Keys of a selection that is not by logit.
    var keys: AlignedBuffer<Float>?
    var maxima: BlockMaxima
    /// Whether `maxima` are those of the row as it is.
    var knowsMaxima = false
    var elements: [Selection.Weighted] = []

    init(vocabularySize: Int) throws(KernelError) {
        self.vocabularySize = vocabularySize
        probabilities = try AlignedBuffer(count: vocabularySize)
        maxima = try BlockMaxima(capacity: vocabularySize)
        row = probabilities.pointer
    }

    /// Selects all tokens, with the logits of a row, which is copied before a processor changes it.
    func reset(_ row: UnsafeMutablePointer<Float>) {
        self.row = row
        isDense = true
        knowsMaxima = false
        ids.removeAll(keepingCapacity: true)
        logits.removeAll(keepingCapacity: true)
    }

    /// Copies the model's row, so that processors write into private memory.
    func copy() throws(ModelError) {
        guard isDense else { return }
        if own == nil {
            do {
                own = try AlignedBuffer(count: vocabularySize)
            } catch {
                throw ModelError("sampling", problem: error.sentence)
            }
        }
        guard let own else { return }
        own.pointer.update(from: row, count: vocabularySize)
        row = own.pointer
    }

    /// Tokens that may still come.
    public var count: Int {
        guard isDense else { return ids.count }
        return vocabularySize - (0..<vocabularySize).count { row[$0] == -.infinity }
    }

    /// Returns the logit of a token; -∞ if the token was removed or does not exist.
    public func logit(_ id: TokenID) -> Float {
        guard let place = place(id) else { return -.infinity }
        return isDense ? row[place] : logits[place]
    }

    /// Gives a token another logit; -∞ removes it. One that was removed stays away.
    public func set(_ id: TokenID, to logit: Float) {
        guard let place = place(id) else { return }
        if isDense {
            row[place] = logit
            knowsMaxima = false
        } else if logit == -.infinity {
            ids.remove(at: place)
            logits.remove(at: place)
        } else {
            logits[place] = logit
        }
    }

    /// Sets every logit to (logit - origin) · factor.
    public func multiply(by factor: Float, from origin: Float = 0) {
        if isDense {
            for index in 0..<vocabularySize { row[index] = (row[index] - origin) * factor }
            knowsMaxima = false
        } else {
            for index in logits.indices { logits[index] = (logits[index] - origin) * factor }
        }
    }

    func place(_ id: TokenID) -> Int? {
        guard id >= 0, id < vocabularySize else { return nil }
        guard !isDense else { return Int(id) }
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low < ids.count && ids[low] == id ? low : nil
    }

    /// The greatest logit.
    public var greatest: Float {
        guard isDense else { return logits.reduce(-.infinity) { max($0, $1) } }
        learnMaxima()
        return maxima.greatest
    }

    func learnMaxima() {
        guard !knowsMaxima else { return }
        maxima.update(row, count: vocabularySize)
        knowsMaxima = true
    }
}

public import Models
public import System
internal import Tensors

extension Intervention {
    /// Makes sure that a change fits the activation that it is for.
    ///
    /// - Parameters:
    ///   - hooks: Hooks of the model.
    ///   - shape: Of the activation: of a whole sequence, or of one pass where `isWhole` is false.
    ///   - isWhole: Whether positions and rows of other tensors must fit this shape. If `false`, only widths must
    ///     match, because the sequence may still grow.
    /// - Throws: `Problem` if the hook is unknown, a head, column, or position is out of range, or a
    ///   tensor has the wrong shape.
    public func check(hooks: [Hook], shape: [Int], isWhole: Bool = true) throws(Problem) {
        guard hooks.contains(hook) else { throw .noHook(hook.name, among: hooks) }
        let places = HookShape(hook, shape)
        if let head {
            guard shape.count == 3 else {
                throw refusal("the hook has no heads", "Omit the head, or use a hook such as attn.hook_z.")
            }
            guard (0..<places.heads).contains(head) else {
                throw refusal("head \(head) is out of range", "Use 0 to \(places.heads - 1).")
            }
        }
        if let column, !(0..<places.width).contains(column), isWhole || !hook.isByHead {
            throw refusal("column \(column) is out of range", "Use 0 to \(places.width - 1).")
        }
        if isWhole { try checkPositions(places.tokens) }
        switch change {
        case .zero, .scale: return
        case .replace(let tensor): try checkShape(tensor, shape, places, isWhole: isWhole, allowsLines: false)
        case .add(let tensor, _): try checkShape(tensor, shape, places, isWhole: isWhole, allowsLines: true)
        case .project(let direction), .setComponent(let direction, _):
            guard column == nil else {
                throw refusal("a direction and a column cannot be combined", "Omit the column.")
            }
            guard direction.count == places.width || (head == nil && direction.count == places.rowCount) else {
                throw misfit(direction, "[\(places.width)]")
            }
        }
    }

    private func checkPositions(_ tokens: Int) throws(Problem) {
        let isInside =
            switch positions {
            case .all, .from: true
            case .only(let position): (0..<tokens).contains(position)
            case .range(let range): range.lowerBound >= 0 && range.upperBound <= tokens
            }
        guard isInside else {
            throw refusal(
                "the positions are outside the \(tokens) tokens", "Use positions from 0 to \(tokens - 1).")
        }
    }

    private func checkShape(
        _ tensor: Tensor<Scalar>, _ shape: [Int], _ places: HookShape, isWhole: Bool, allowsLines: Bool
    ) throws(Problem) {
        if tensor.shape == places.row || (allowsLines && tensor.shape == [places.width]) { return }
        if let head, tensor.shape == [places.width], head < places.heads { return }
        if isWhole ? tensor.shape == shape : fits(tensor.shape, shape) { return }
        throw misfit(tensor, "\(shape), or \(places.row) for every token")
    }

    /// The same but for the tokens, and for the keys of scores and patterns.
    private func fits(_ other: [Int], _ shape: [Int]) -> Bool {
        guard other.count == shape.count else { return false }
        return hook.isByHead ? other[0] == shape[0] : other.dropFirst() == shape.dropFirst()
    }

    private func refusal(_ problem: String, _ remedy: String) -> Problem {
        Problem(.invalid, hook.name, problem, remedy: remedy)
    }

    private func misfit(_ tensor: Tensor<Scalar>, _ wanted: String) -> Problem {
        refusal("the intervention tensor has shape \(tensor.shape)", "Use \(wanted).")
    }
}

/// Where tokens, heads and columns of an activation lie.
struct HookShape {
    let tokens: Int
    let heads: Int
    /// Numbers of a line: of one token and head.
    let width: Int
    /// Tokens lie along the second axis.
    let isByHead: Bool

    init(_ hook: Hook, _ shape: [Int]) {
        isByHead = hook.isByHead
        tokens = shape[isByHead ? 1 : 0]
        heads = shape.count == 3 ? shape[isByHead ? 0 : 1] : 1
        width = shape[shape.count - 1]
        row = shape.count == 3 ? [heads, width] : [width]
    }

    /// The shape of what belongs to one token.
    let row: [Int]
    var rowCount: Int { heads * width }

    func start(token: Int, head: Int) -> Int {
        (isByHead ? head * tokens + token : token * heads + head) * width
    }
}

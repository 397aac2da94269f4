import Tensors
import Testing
import Training

@Suite("Losses")
struct LossTests {
    struct Loss: CustomTestStringConvertible, Sendable {
        let name: String
        /// What torch 2.13 says of the same numbers.
        let expected: Double
        let function: @Sendable (_ x: Variable<Double>, _ y: Variable<Double>) throws(TensorError) -> Variable<Double>
        var testDescription: String { name }
    }

    private static func probabilities() throws(TensorError) -> Variable<Double> {
        Variable(try Tensor(rows: [[0.2, 0.3, 0.5], [1, 0, 0]]))
    }

    static let losses = [
        Loss(name: "meanSquaredError", expected: 2.3854166666666665) { x, y throws(TensorError) in
            try meanSquaredError(x, y)
        },
        Loss(name: "meanSquaredError, summed", expected: 14.3125) { x, y throws(TensorError) in
            try meanSquaredError(x, y, .sum)
        },
        Loss(name: "absoluteError", expected: 1.2083333333333333) { x, y throws(TensorError) in
            try absoluteError(x, y)
        },
        Loss(name: "huber", expected: 0.9316666666666666) { x, y throws(TensorError) in try huber(x, y, delta: 1.2) },
        Loss(name: "binaryCrossEntropy", expected: 1.1383463665091826) { x, _ throws(TensorError) in
            try binaryCrossEntropy(logits: x, probabilities())
        },
        Loss(name: "negativeLogLikelihood", expected: 1.6591289705995416) { x, _ throws(TensorError) in
            try negativeLogLikelihood(logSoftmax(x), Tensor<Int32>([2, 0]))
        },
        Loss(name: "negativeLogLikelihood without the second row", expected: 0.24131129665715703) {
            x, _ throws(TensorError) in
            try negativeLogLikelihood(logSoftmax(x), Tensor<Int32>([2, -1]), ignoring: -1)
        },
        Loss(name: "crossEntropy", expected: 1.6591289705995416) { x, _ throws(TensorError) in
            try crossEntropy(x, Tensor<Int32>([2, 0]))
        },
        Loss(name: "softCrossEntropy", expected: 2.2591289705995417) { x, _ throws(TensorError) in
            try softCrossEntropy(x, probabilities())
        },
        Loss(name: "klDivergence", expected: 1.7443024635672548) { x, _ throws(TensorError) in
            try klDivergence(logProbabilities: logSoftmax(x), targets: probabilities())
        },
        Loss(name: "hinge", expected: 1) { x, y throws(TensorError) in
            try hinge(x, Variable(select(y.value .> 0.4, Tensor(1.0), Tensor(-1.0))))
        },
        Loss(name: "cosineSimilarity", expected: 0.849740076) { x, y throws(TensorError) in
            try cosineSimilarity(x, y).sum()
        },
        Loss(name: "cosineEmbedding", expected: 0.29747707054491457) { x, y throws(TensorError) in
            try cosineEmbedding(x, y, Tensor([1, -1]), margin: -0.2)
        },
    ]

    @Test("have torch's values", arguments: losses)
    func value(_ loss: Loss) throws {
        let x = Variable(try Tensor(rows: [[0.5, -1, 2], [0, 3, -0.5]]))
        let y = Variable(try Tensor(rows: [[1, -1, 0.5], [2, 0.25, 0]]))
        let found = try #require(try loss.function(x, y).scalar)
        #expect(Swift.abs(found - loss.expected) < 1e-8)
    }

    @Test("of each element are left as they are where that is asked for")
    func unreduced() throws {
        let (x, y) = (Variable(try Tensor([1.0, 2])), Variable(try Tensor([3.0, 2])))
        #expect(try meanSquaredError(x, y, .none).value.elements == [4, 0])
    }

    @Test("of no row that counts are 0")
    func nothingCounts() throws {
        let x = Variable.leaf(try Tensor(rows: [[0.5, -1.0]]))
        let loss = try negativeLogLikelihood(logSoftmax(x), Tensor<Int32>([7]), ignoring: 7)
        #expect(loss.scalar == 0)
        #expect(try loss.gradients(for: [x])[0].value.elements == [0, 0])
    }

    @Test("refuse what does not fit")
    func wrongShapes() throws {
        func sentence(_ body: () throws -> Void) -> String {
            do { try body() } catch let error as TensorError { return error.sentence } catch {}
            return "no error"
        }
        let (x, y) = (Variable(try Tensor<Double>.ones(3, 1)), Variable(try Tensor<Double>.ones(3)))
        #expect(
            sentence { _ = try meanSquaredError(x, y) }
                == "meanSquaredError: [3, 1] and [3] are incompatible: a loss needs two inputs of equal shape.")
        #expect(
            sentence { _ = try negativeLogLikelihood(x, Tensor<Int32>([0, 0])) }
                == "negativeLogLikelihood: [3, 1] and [2] are incompatible: every row of classes needs one target.")
        #expect(
            sentence { _ = try negativeLogLikelihood(x, Tensor<Int32>([0, 1, 0])) }
                == "negativeLogLikelihood: [3] has class 1, but there are 1 classes.")
        #expect(sentence { _ = try huber(y, y, delta: 0) } == "huber: needs a delta above 0, not 0.0.")
        #expect(
            sentence { _ = try cosineEmbedding(x, x, Tensor([1.0])) }
                == "cosineEmbedding: [3, 1] and [1] are incompatible: every pair of rows needs one sign.")
    }
}

/// What is counted of one feature.
struct FeatureTally: BitwiseCopyable {
    var total: Double = 0
    var count: Int64 = 0
    var maximum: Float = 0
    /// Smallest activation of the top examples once all slots are full. Smaller activations are not top examples.
    var leastTop: Float = 0
    /// The stratum of the maximum.
    var stratum: Int32 = 0
}

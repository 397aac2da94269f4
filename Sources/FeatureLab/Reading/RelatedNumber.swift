/// Another feature and how near it is.
struct RelatedNumber: Equatable {
    var feature: Int
    var value: Float
}

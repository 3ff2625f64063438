package api

// What tests look at from outside.
const MaxItems = maxItems

// ItemOf is an item of a preview.
var ItemOf = item

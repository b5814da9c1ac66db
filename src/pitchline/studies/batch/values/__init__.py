"""Numbers of all lanes from few models: each number of a train as a function of the parameters of a study."""

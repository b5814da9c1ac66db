"""What a user asks of a model: statics, kinematics, dynamics."""

"""Small robot files of our own, as texts: each construct of both formats at least once."""

ARM_URDF = """<?xml version="1.0"?>
<robot name="arm">
  <material name="orange"><color rgba="0.9 0.5 0.1 1"/></material>
  <link name="world"/>
  <joint name="foot" type="fixed"><parent link="world"/><child link="base"/><origin xyz="0 0 0.1"/></joint>
  <link name="base">
    <inertial><origin xyz="0 0 0.05"/><mass value="4"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.03"/></inertial>
    <visual><origin xyz="0 0 0.05"/><geometry><cylinder radius="0.08" length="0.1"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0 0 0.1" rpy="0.1 -0.2 0.3"/><axis xyz="0 2 0"/>
    <limit lower="-2" upper="2" effort="50" velocity="3"/>
    <dynamics damping="0.4" friction="0.05"/>
  </joint>
  <link name="upper">
    <inertial><origin xyz="0.02 0.01 0.2" rpy="0.2 0.1 -0.4"/><mass value="2.5"/>
      <inertia ixx="0.04" ixy="0.002" ixz="-0.001" iyy="0.05" iyz="0.003" izz="0.02"/></inertial>
    <visual><origin xyz="0 0 0.2"/><geometry><box size="0.06 0.06 0.4"/></geometry><material name="orange"/></visual>
  </link>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="lower"/><origin xyz="0 0 0.4" rpy="0 0.3 0"/><axis xyz="1 1 0"/>
  </joint>
  <link name="lower">
    <inertial><origin xyz="0 0 0.15"/><mass value="1.2"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.012" iyz="0" izz="0.004"/></inertial>
    <collision><origin xyz="0 0 0.15"/><geometry><sphere radius="0.05"/></geometry></collision>
  </link>
  <joint name="flange_joint" type="fixed"><parent link="lower"/><child link="flange"/><origin xyz="0 0 0.3" rpy="0 1 0"/></joint>
  <link name="flange">
    <inertial><mass value="0.3"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial>
  </link>
  <joint name="left_finger" type="prismatic">
    <parent link="flange"/><child link="left"/><origin xyz="0.05 0 0"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.2"/>
  </joint>
  <link name="left">
    <inertial><mass value="0.1"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/></inertial>
  </link>
  <joint name="right_finger" type="prismatic">
    <parent link="flange"/><child link="right"/><origin xyz="0.05 0 0"/><axis xyz="0 -1 0"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.2"/>
    <mimic joint="left_finger" multiplier="1.5" offset="0.002"/>
  </joint>
  <link name="right">
    <inertial><mass value="0.12"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/></inertial>
  </link>
  <joint name="tool_joint" type="fixed"><parent link="flange"/><child link="tool"/><origin xyz="0.1 0 0"/></joint>
  <link name="tool"/>
  <transmission name="shoulder_drive">
    <type>transmission_interface/SimpleTransmission</type>
    <joint name="shoulder"/>
    <actuator name="shoulder_motor"><mechanicalReduction>50</mechanicalReduction></actuator>
  </transmission>
  <gazebo reference="base"/>
</robot>
"""

TREE_MJCF = """<mujoco model="tree">
  <compiler angle="degree" eulerseq="zyx" autolimits="true"/>
  <option gravity="0.5 0 -9.7"/>
  <default>
    <geom density="800"/>
    <joint damping="0.1" armature="0.01"/>
    <default class="finger"><joint type="slide" armature="0.05" damping="2" range="0 0.1"/><geom density="2000"/></default>
    <default class="heavy"><geom density="4000"/></default>
  </default>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <body name="pedestal" pos="0 0 0.2"><geom type="box" size="0.1 0.1 0.1"/>
      <body name="shoulder" pos="0 0 0.15" euler="10 20 30" childclass="heavy">
        <joint name="pan" axis="0 0 1" range="-170 170" frictionloss="0"/>
        <joint name="lift" axis="0 1 0" pos="0.02 0 0.03" ref="15" stiffness="3" springref="5"/>
        <geom type="capsule" fromto="0 0 0 0.3 0.1 0.2" size="0.04"/>
        <geom type="ellipsoid" size="0.05 0.08 0.03" pos="0.1 0 0.1" axisangle="1 1 0 40" class="finger"/>
        <site name="tip" pos="0.3 0.1 0.2" quat="1 0.2 0 0"/>
        <body name="elbow" pos="0.3 0.1 0.2" quat="0.9 0.1 -0.3 0.2">
          <inertial pos="0.05 0 0.01" mass="0.8" fullinertia="0.004 0.005 0.003 0.0003 -0.0002 0.0001"/>
          <joint name="bend" axis="1 0.5 0" armature="0.02"/>
          <geom type="sphere" size="0.05"/>
          <frame pos="0.1 0 0" euler="0 0 90">
            <body name="wrist" pos="0.1 0.02 0" zaxis="1 0 1">
              <joint name="ball" type="ball" damping="0" armature="0"/>
              <geom type="cylinder" size="0.03 0.05" mass="0.3"/>
              <body name="left" childclass="finger" pos="0.02 0 0.05">
                <joint name="left_slide" axis="0 1 0" ref="0.01"/><geom type="box" size="0.01 0.02 0.03"/>
              </body>
              <body name="right" childclass="finger" pos="0.02 0 0.05" xyaxes="-1 0 0 0 -1 0">
                <joint name="right_slide" axis="0 1 0"/><geom type="box" size="0.01 0.02 0.03"/>
              </body>
            </body>
          </frame>
        </body>
      </body>
    </body>
    <body name="ball" pos="2 0 1"><freejoint name="fly"/><geom type="sphere" size="0.1"/></body>
  </worldbody>
</mujoco>
"""

GEARED_MJCF = """<mujoco model="geared">
  <compiler angle="radian"/>
  <worldbody>
    <body name="a"><joint name="ja" axis="0 1 0" damping="0.2"/><geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.03"/>
      <body name="b" pos="0 0 -0.5"><joint name="jb" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03"/>
        <body name="c" pos="0 0 -0.4"><joint name="jc" axis="0 1 0"/><geom type="box" size="0.03 0.03 0.1" pos="0 0 -0.1"/></body>
      </body>
    </body>
    <body name="d" pos="1 0 0"><joint name="jd" axis="0 0 1"/><geom type="box" size="0.1 0.05 0.02" pos="0.1 0 0"/></body>
  </worldbody>
  <tendon>
    <fixed name="cable" stiffness="4" damping="0.1"><joint joint="ja" coef="1"/><joint joint="jb" coef="-0.5"/></fixed>
    <fixed name="rod"><joint joint="jb" coef="1"/><joint joint="jc" coef="2"/></fixed>
  </tendon>
  <equality>
    <joint name="curve" joint1="jd" joint2="ja" polycoef="0 0.5 0.3 0 0"/>
    <tendon name="rod_length" tendon1="rod" polycoef="0 1 0 0 0"/>
  </equality>
  <actuator>
    <motor name="push" joint="ja" gear="3" ctrlrange="-1 1"/>
    <position name="hold" joint="jb" kp="20" kv="0.5" forcerange="-5 5"/>
    <velocity name="spin" joint="jd" kv="0.4"/>
    <general name="tense" tendon="cable" gainprm="2" biastype="affine" biasprm="0 -1 -0.2"/>
  </actuator>
  <keyframe><key name="bent" qpos="0.4 0.2 -0.1 0.248"/></keyframe>
</mujoco>
"""

GEARBOX_TOML = """name = "gearbox"

[bodies.rotor]
mass = "0.2 kg"
inertia = ["50 kg*mm^2", "50 kg*mm^2", "20 kg*mm^2"]
position = [0, "45 mm", 0]

[bodies.flange]
mass = "0.5 kg"
inertia = ["2000 kg*mm^2", "2000 kg*mm^2", "3000 kg*mm^2"]

[joints.input]
kind = "revolute"
a = "ground"
b = "rotor"

[joints.output]
kind = "revolute"
a = "ground"
b = "flange"

[elements.train]
type = "elastic_gear_ratio"
a = "input"
b = "output"
ratio = -50
stiffness = "2 kN*m/rad"
damping = "0.5 N*m*s/rad"
backlash = "2 mrad"

[elements.seal]
type = "friction"
on = "input"
capacity = "5 mN*m"
"""


def urdf_seeds() -> list[tuple[str, bytes]]:
    """Valid URDF files."""
    return [("arm.urdf", ARM_URDF.encode())]


def mjcf_seeds() -> list[tuple[str, bytes]]:
    """Valid MJCF files."""
    return [("tree.xml", TREE_MJCF.encode()), ("geared.xml", GEARED_MJCF.encode())]
